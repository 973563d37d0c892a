"""The functions of NumPy and SciPy by the names of the standard, where they are not NumPy's."""

import numpy as np
import scipy.special

#: Whose results have the data type of their first array.
same_type = {
    "unique_all", "unique_counts", "unique_inverse", "unique_values",
    *("fft.fftshift", "fft.ifftshift"),
    *("at", "at_add", "at_set", "broadcast_arrays", "broadcast_to", "clip", "diagonal", "diff", "expand_dims", "flip", "full_like"),
    *("matrix_transpose", "meshgrid", "moveaxis", "ones_like", "pad", "permute_dims", "positive", "repeat", "reshape", "roll"),
    *("set_slice", "sort", "squeeze", "slice", "take", "take_along_axis", "tile", "tril", "triu", "unstack", "zeros_like"),
}


def axes(options):
    """Lists of axes as tuples, which NumPy wants."""
    made = {key: tuple(each) if isinstance(each, list) else each for key, each in options.items()}
    if "keep_dims" in made:
        made["keepdims"] = made.pop("keep_dims")
    return made


class Functions(dict):
    def __missing__(self, name):
        return lambda *args, **options: getattr(np, name)(*args, **axes(options))


def part(given):
    if given is None:
        return slice(None)
    return Ellipsis if given == "..." else slice(*given) if isinstance(given, list) else given


def set_slice(x, values, *parts):
    copy = x.copy()
    place = tuple(part(each) for each in parts)
    if copy[place].size == 0:
        raise ValueError("no elements, which DirectML does not have")
    copy[place] = values
    return copy


def created(make):
    """Without the data type, which the rules say."""
    return lambda *args, data_type=None, **options: make(*args, **options)


def nonempty(count):
    if count < 1:
        raise ValueError("no elements, which DirectML does not have")
    return count


def arange(start, stop=None, step=1):
    made = np.arange(start, stop, step) if stop is not None else np.arange(start)
    nonempty(made.size)
    return made


def linspace(start, stop, count, endpoint=True):
    return np.linspace(start, stop, nonempty(count), endpoint=endpoint)


def repeat(x, counts, axis=None):
    made = np.repeat(x, counts, axis)
    nonempty(made.size)
    return made


def pad(x, widths, mode="constant", value=0):
    pairs = [[each, each] if isinstance(each, int) else each for each in widths] if isinstance(widths, list) else widths
    for size, pair in zip(x.shape, pairs if isinstance(pairs, list) else [[pairs, pairs]] * x.ndim):
        if mode in ("reflect", "symmetric") and max(pair) > size - (mode == "reflect"):
            raise ValueError("more than there are to mirror, which NumPy mirrors again")
    return np.pad(x, pairs, mode, **({"constant_values": value} if mode == "constant" else {}))


def diff(x, axis=-1, n=1):
    made = np.diff(x, n=n, axis=axis)
    nonempty(made.size)
    return made


def at(x, indices):
    return x[tuple(np.moveaxis(indices, -1, 0))]


def at_set(x, indices, values):
    copy = x.copy()
    copy[tuple(np.moveaxis(indices, -1, 0))] = values
    return copy


def at_add(x, indices, values):
    copy = x.copy()
    np.add.at(copy, tuple(np.moveaxis(indices, -1, 0)), values)
    return copy


def one_hot(indices, count, axis=-1, data_type=None):
    return np.moveaxis((indices[..., None] == np.arange(count)).astype(float), -1, axis)


def argsort(x, axis=-1, descending=False):
    if not descending:
        return np.argsort(x, axis, stable=True)
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis, stable=True), axis)


def sort(x, axis=-1, descending=False):
    return np.take_along_axis(x, argsort(x, axis, descending), axis)


def top_k(x, k, axis=-1, largest=True):
    if k > x.shape[axis]:
        raise ValueError("more than there are")
    places = np.take(argsort(x, axis, largest), np.arange(k), axis)
    return np.take_along_axis(x, places, axis), places


def cumulative(make):
    return lambda x, axis=None, include_initial=False: make(x, axis=axis, include_initial=include_initial)


def diagonal(x, offset=0):
    made = np.linalg.diagonal(x, offset=offset)
    nonempty(made.size)
    return made


def triangle(make):
    def of(x, k=0):
        if x.ndim < 2:
            raise ValueError("matrices, as the standard says")
        return make(x, k)

    return of


def outer(x, y):
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError("vectors, as the standard says")
    return np.outer(x, y)


def cross(x, y):
    return np.linalg.cross(x, y)


def norm(x, ord=2, **options):
    return np.linalg.vector_norm(x.astype(float), ord=ord, **axes(options))


def different(x, axis):
    return np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)


def complex_of(x):
    if x.ndim < 2 or x.shape[-1] != 2:
        raise ValueError("a last dimension of real and imaginary parts")
    return x[..., 0] + 1j * x[..., 1]


def pairs(z):
    return np.stack([z.real, z.imag], -1)


def unique(x):
    values, places, inverse, counts = np.unique_all(x)
    return [values, places, inverse, counts]


functions = Functions(
    {
        "arange": created(arange),
        "argsort": argsort,
        "astype": lambda x, data_type: x.astype(data_type),
        "at": at,
        "at_add": at_add,
        "at_set": at_set,
        "broadcast_arrays": lambda *arrays: list(np.broadcast_arrays(*arrays)),
        "clip": lambda x, least=None, most=None: np.clip(x, least, most),
        "cross": cross,
        "cumulative_prod": cumulative(np.cumulative_prod),
        "cumulative_sum": cumulative(np.cumulative_sum),
        "diagonal": diagonal,
        "diff": diff,
        "divide": lambda x, y: np.true_divide(x, y),
        "erf": scipy.special.erf,
        "eye": created(lambda rows, columns=None, k=0: np.eye(rows, columns, k)),
        "fft.fft": lambda x, **options: pairs(np.fft.fft(complex_of(x), **options)),
        "fft.fftfreq": lambda n, d=1: np.fft.fftfreq(n, d),
        "fft.fftshift": lambda x, axis: np.fft.fftshift(x, different(x, axis)),
        "fft.ifft": lambda x, **options: pairs(np.fft.ifft(complex_of(x), **options)),
        "fft.ifftshift": lambda x, axis: np.fft.ifftshift(x, different(x, axis)),
        "fft.irfft": lambda x, **options: np.fft.irfft(complex_of(x), **options),
        "fft.rfft": lambda x, **options: pairs(np.fft.rfft(x, **options)),
        "fft.rfftfreq": lambda n, d=1: np.fft.rfftfreq(n, d),
        "full": created(lambda sizes, value: np.full(sizes, float(value))),
        "full_like": created(lambda x, value: np.full(x.shape, float(value))),
        "linalg.cholesky": lambda x, upper=False: np.linalg.cholesky(x.astype(float), upper=upper),
        "linalg.det": np.linalg.det,
        "linalg.inv": np.linalg.inv,
        "linalg.matrix_norm": lambda x, ord="fro", **options: np.linalg.matrix_norm(x.astype(float), ord=ord, **axes(options)),
        "linalg.matrix_power": lambda x, n: np.linalg.matrix_power(x.astype(float), n),
        "linalg.slogdet": lambda x: list(np.linalg.slogdet(x)),
        "linalg.solve": np.linalg.solve,
        "linalg.vector_norm": norm,
        "linspace": created(linspace),
        "logsumexp": lambda x, **options: scipy.special.logsumexp(x, **axes(options)),
        "meshgrid": lambda arrays, indexing="xy": np.meshgrid(*arrays, indexing=indexing),
        "norm": norm,
        "one_hot": one_hot,
        "ones": created(np.ones),
        "ones_like": created(np.ones_like),
        "outer": outer,
        "pad": pad,
        "reciprocal": lambda x: 1 / x,
        "repeat": repeat,
        "search_sorted": lambda x, values, side="left": np.searchsorted(x, values, side),
        "set_slice": set_slice,
        "slice": lambda x, *parts: x[tuple(part(each) for each in parts)],
        "sort": sort,
        "take_along_axis": lambda x, indices, axis=-1: np.take_along_axis(*both(x, indices, axis), axis),
        "tensordot": lambda x, y, axes=2: np.tensordot(x, y, axes),
        "top_k": top_k,
        "trace": lambda x, offset=0: diagonal(x, offset).sum(-1),
        "tril": triangle(np.tril),
        "triu": triangle(np.triu),
        "unique_all": unique,
        "unique_counts": lambda x: [unique(x)[0], unique(x)[3]],
        "unique_inverse": lambda x: [unique(x)[0], unique(x)[2]],
        "unique_values": lambda x: unique(x)[0],
        "unstack": lambda x, axis=0: list(np.unstack(x, axis=axis)),
        "where": lambda condition, x, y: np.where(condition.astype(bool), x, y),
        "zeros": created(np.zeros),
        "zeros_like": created(np.zeros_like),
    }
)


def both(x, indices, axis):
    """The standard repeats the other dimensions, NumPy since 2.3 those of the array, too."""
    sizes = np.broadcast_shapes(np.delete(x.shape, axis), np.delete(indices.shape, axis)) if x.ndim == indices.ndim else None
    if sizes is None:
        raise ValueError("as many dimensions")
    repeat = lambda own: np.broadcast_to(own, np.insert(sizes, axis % own.ndim, own.shape[axis]).astype(int))
    return repeat(x), repeat(indices)
