import type { Device } from 'node-directml';
import type { CrewOptions } from '#lib/backends/reference/crew/crew.js';

export declare const helpAlways: Required<Pick<CrewOptions, 'threads' | 'least' | 'worthwhile'>>;
export declare function crewDevice(options?: Partial<CrewOptions>): Device;
