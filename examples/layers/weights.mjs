// Trees of weights, and their names in a file of PyTorch.
import { createDevice } from 'node-directml';
import * as nn from 'node-directml/nn';

const device = await createDevice();
const weights = { encoder: [{ weight: device.tensor([[1, 2]]), bias: device.tensor([3]) }] };
console.log(Object.keys(nn.named(weights))); // [ 'encoder.0.weight', 'encoder.0.bias' ]
console.log(Object.keys(nn.nested(nn.named(weights)).encoder[0])); // [ 'weight', 'bias' ]
device.dispose();
