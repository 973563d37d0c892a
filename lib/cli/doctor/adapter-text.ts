/** Facts about an adapter in words. */
import type { AdapterInfo } from '../../index.js';
import { memoryText } from '../layout.js';

/** The vendors of adapters with Direct3D 12, by their PCI numbers. */
const vendors: Readonly<Record<number, string>> = {
  0x1002: 'AMD',
  0x10de: 'NVIDIA',
  0x1414: 'Microsoft',
  0x4d4f4351: 'Qualcomm',
  0x5143: 'Qualcomm',
  0x8086: 'Intel',
};

export function adapterFacts(adapter: AdapterInfo & { readonly driverVersion: string | null }): string[] {
  const { luid, vendorId, deviceId, driverVersion, isSoftware, d3d12FeatureLevel } = adapter;
  const hex = (number: number) => `0x${number.toString(16).padStart(4, '0')}`;
  return [
    `LUID ${luid}, vendor ${hex(vendorId)}${vendors[vendorId] === undefined ? '' : ` (${vendors[vendorId]})`}, device ${hex(deviceId)}`,
    memoryFact(adapter),
    `driver ${driverVersion ?? '(version unknown)'}${isSoftware ? ', software: it computes on the CPU' : ''}`,
    d3d12FeatureLevel === null ? 'Direct3D 12 cannot use it' : `Direct3D feature level ${d3d12FeatureLevel.replace('_', '.')}`,
  ];
}

export function memoryFact({ dedicatedVideoMemory, dedicatedSystemMemory, sharedSystemMemory }: AdapterInfo): string {
  const parts = [
    [dedicatedVideoMemory, 'of its own'],
    [dedicatedSystemMemory, 'of system memory reserved'],
    [sharedSystemMemory, 'shared with the system'],
  ] as const;
  return `memory: ${parts.flatMap(([bytes, what]) => (bytes === 0 ? [] : [`${memoryText(bytes)} ${what}`])).join(', ')}`;
}
