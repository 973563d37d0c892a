"""The functions of NumPy and SciPy by the names of the standard, where they are not NumPy's."""

import numpy as np
import scipy.special

#: Whose results have the data type of their first array.
same_type = {"expand_dims", "flip", "broadcast_to", "moveaxis", "permute_dims", "matrix_transpose", "reshape"}


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


def take_parts(x, *parts):
    return x[tuple(part(each) for each in parts)]


functions = Functions(
    {
        "astype": lambda x, data_type: x.astype(data_type),
        "divide": lambda x, y: np.true_divide(x, y),
        "erf": scipy.special.erf,
        "reciprocal": lambda x: 1 / x,
        "logsumexp": lambda x, **options: scipy.special.logsumexp(x, **axes(options)),
        "where": lambda condition, x, y: np.where(condition.astype(bool), x, y),
        "slice": take_parts,
    }
)
