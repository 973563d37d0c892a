/**
 * The versions of display drivers. DXGI reports them only through Direct3D 10 interfaces, so they are read from the place where
 * Windows stores facts about adapters: `HKLM\SOFTWARE\Microsoft\DirectX`, a key per adapter.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AdapterInfo } from '../../index.js';
import { systemFolder } from './system-files.js';

const key = 'HKLM\\SOFTWARE\\Microsoft\\DirectX';
/** Ten seconds. */
const limits = { __proto__: null, timeout: 10_000 };

/** The version of each adapter's driver; null if Windows has not noted it. */
export async function driverVersions(adapters: readonly AdapterInfo[]): Promise<(string | null)[]> {
  if (adapters.length === 0) return [];
  const reg = join(systemFolder(), 'reg.exe');
  const text = await promisify(execFile)(reg, ['query', key, '/s'], limits).then(
    ({ stdout }) => stdout,
    () => '',
  );
  return adapters.map((adapter) => driverVersionOf(adapter, text));
}

/**
 * @param text The output of `reg query … /s`. Keys of removed adapters remain; the one seen last counts. Their LUIDs change
 * with each restart of Windows.
 */
export function driverVersionOf({ vendorId, deviceId, luid }: AdapterInfo, text: string): string | null {
  const same = text
    .split(/\r?\n(?=HKEY_)/)
    .map(numbersOf)
    .filter((entry) => entry.get('VendorId') === BigInt(vendorId) && entry.get('DeviceId') === BigInt(deviceId));
  const own = same.filter((entry) => entry.get('AdapterLuid') === BigInt(`0x${luid.replace('-', '')}`));
  const [latest] = (own.length > 0 ? own : same).sort((a, b) => (seen(a) > seen(b) ? -1 : 1));
  const version = latest?.get('DriverVersion');
  return version === undefined ? null : [48n, 32n, 16n, 0n].map((shift) => (version >> shift) & 0xffffn).join('.');
}

function seen(entry: ReadonlyMap<string, bigint>): bigint {
  return entry.get('LastSeen') ?? 0n;
}

/** The numbers of a key, by name: `    VendorId    REG_DWORD    0x10de`. */
function numbersOf(text: string): Map<string, bigint> {
  const rows = text.matchAll(/^\s+(\w+)\s+REG_[DQ]WORD\s+(0x[\da-f]+)\s*$/gim);
  return new Map([...rows].map(([, name = '', value = '0']) => [name, BigInt(value)]));
}
