import type { Device } from 'node-directml';
import type { ThreadPoolOptions } from '#lib/backends/reference/thread-pool/thread-pool.js';

export declare const helpAlways: Required<Pick<ThreadPoolOptions, 'threads' | 'least' | 'worthwhile'>>;
export declare function threadPoolDevice(options?: Partial<ThreadPoolOptions>): Device;
