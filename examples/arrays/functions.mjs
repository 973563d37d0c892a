// Functions of each element. Integers become float32.
import { createDevice } from 'node-directml';
import * as np from 'node-directml/array';

const device = await createDevice();
const show = async (y) => (await (await y).item()).toFixed(3);
const x = device.tensor([0.5]);
console.log(await show(np.sqrt(x))); // 0.707
console.log(await show(np.exp(x))); // 1.649
console.log(await show(np.expm1(x))); // 0.649
console.log(await show(np.log(x))); // -0.693
console.log(await show(np.log1p(x))); // 0.405
console.log(await show(np.log2(x))); // -1.000
console.log(await show(np.log10(x))); // -0.301
console.log(await show(np.sin(x))); // 0.479
console.log(await show(np.cos(x))); // 0.878
console.log(await show(np.tan(x))); // 0.546
console.log(await show(np.asin(x))); // 0.524
console.log(await show(np.acos(x))); // 1.047
console.log(await show(np.atan(x))); // 0.464
console.log(await show(np.sinh(x))); // 0.521
console.log(await show(np.cosh(x))); // 1.128
console.log(await show(np.tanh(x))); // 0.462
console.log(await show(np.asinh(x))); // 0.481
console.log(await show(np.acosh(np.add(x, 2)))); // 1.567
console.log(await show(np.atanh(x))); // 0.549
console.log(await show(np.erf(np.multiply(x, 2)))); // 0.843
console.log(await show(np.hypot(x, 2))); // 2.062
console.log(await show(np.atan2(x, 2))); // 0.245
console.log(await show(np.logaddexp(x, 2))); // 2.201
device.dispose();
