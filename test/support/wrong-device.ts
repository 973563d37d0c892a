/** A device that computes wrong results. */
import type { Device } from 'node-directml';

/** A device whose buffers return one wrong bit when they are read. `isMended` is asked whether they still do. */
export function wrongDevice(device: Device, isMended = (_options: object | undefined) => false): Device {
  let isWrong = true;
  return new Proxy(device, {
    get(target, name) {
      if (name === 'compile') {
        return (...[descriptor, options]: Parameters<Device['compile']>) => {
          isWrong = !isMended(options);
          return target.compile(descriptor, options);
        };
      }
      if (name !== 'createBuffer') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (size: number) => {
        const buffer = target.createBuffer(size);
        const read = buffer.read.bind(buffer);
        Object.defineProperty(buffer, 'read', {
          value: async (...range: Parameters<typeof read>) => {
            const bytes = new Uint8Array(await read(...range));
            if (bytes[0] !== undefined && isWrong) bytes[0] ^= 1;
            return bytes.buffer;
          },
        });
        return buffer;
      };
    },
  });
}
