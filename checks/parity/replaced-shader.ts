/**
 * Finds the descriptors that DirectML computes with the shader that the sandbox replaces. Only a dispatch shows that. Its
 * tensors hold zeros, and the result is ignored.
 */
import { loadAddon } from '#lib/backends/directml/addon.js';
import { DirectMLBufferHandle } from '#lib/backends/directml/buffer-handle.js';
import { dispatchOf } from '#lib/backends/directml/ranges.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { replacedShaderUses } from '../conformance/exceptions.js';
import { tensorSize } from '../cases/layout.js';
import { isTensor } from '../descriptors/candidate.js';
import { asNative, encodeLoosely, type AnyDescriptor } from '../descriptors/encode.js';

type NativeDevice = Awaited<ReturnType<ReturnType<typeof loadAddon>['binding']['createDevice']>>;

export async function behindReplacedShader(descriptors: readonly AnyDescriptor[]): Promise<Set<string>> {
  const { binding, directory } = loadAddon();
  const device = await binding.createDevice({ addonDirectory: directory });
  const found = new Set<string>();
  for (const descriptor of descriptors) {
    const before = replacedShaderUses();
    await dispatch(device, descriptor);
    if (replacedShaderUses() > before) found.add(descriptor.type);
  }
  device.dispose();
  return found;
}

async function dispatch(device: NativeDevice, descriptor: AnyDescriptor): Promise<void> {
  const operator = await device.compileOperator(asNative(encodeLoosely(descriptor)), 0);
  const inputs = bindingsOf(device, descriptor, 'input');
  const outputs = bindingsOf(device, descriptor, 'output');
  loadAddon().binding.dispatch(dispatchOf(operator, { inputs, outputs }));
  await device.idle();
  for (const binding of [...inputs, ...outputs]) binding?.buffer.dispose();
  operator.dispose();
}

/** Creates a buffer for each tensor of this role, in the order of the fields; arrays are flattened. */
function bindingsOf(device: NativeDevice, descriptor: AnyDescriptor, role: FieldSchema['role']) {
  const fields: readonly FieldSchema[] = isOperatorType(descriptor.type) ? operatorTable[descriptor.type].fields : [];
  return fields
    .filter((field) => field.role === role)
    .flatMap(({ name }) => descriptor[name] ?? null)
    .map((tensor) => {
      if (!isTensor(tensor)) return null;
      const sizeInBytes = tensorSize(tensor);
      const buffer = new DirectMLBufferHandle(device.createBuffer(Math.ceil(sizeInBytes / 16) * 16));
      return { buffer, offset: 0, sizeInBytes };
    });
}
