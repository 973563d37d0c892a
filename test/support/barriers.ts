/**
 * Checks the barriers of a recorded command list against Direct3D 12's rules: dispatches wait for each other only at
 * unordered-access barriers; copies need the states COPY_SOURCE and COPY_DEST; and from COMMON, a buffer is promoted
 * implicitly to the state of its first use.
 */

/** A command: a dispatch, or a copy to or from a buffer. Buffers are given by index. */
type Step =
  { readonly reads: readonly number[]; readonly write: number } | { readonly copyTo: number } | { readonly copyFrom: number };

export interface Recording {
  readonly steps: readonly Step[];
  /** The log of the sandbox's bridge (sandbox/bridge/recording.cpp): one whole command list, including its end. */
  readonly notes: readonly string[];
}

/** Values of D3D12_RESOURCE_STATES. */
const COMMON = 0x0;
const UNORDERED_ACCESS = 0x8;
const COPY_DEST = 0x400;
const COPY_SOURCE = 0x800;

class Buffer {
  state = COMMON;
  /** True if a dispatch since the last barrier reads it. `isWritten`: the same for writes. */
  isRead = false;
  isWritten = false;
  /** True if data was copied into it since it entered COPY_DEST. */
  isCopiedTo = false;
}

/** Returns the faults of a recording. `names` are the names of the buffers in the notes. */
export function judgeRecording({ steps, notes }: Recording, names: readonly string[]): string[] {
  const buffers = names.map(() => new Buffer());
  const complaints: string[] = [];
  const rest = [...notes];
  const take = (): string[] => (rest.shift() ?? 'the end').split(' ');
  const bufferAt = (index: number): Buffer => buffers[index] ?? new Buffer();

  for (const [i, step] of steps.entries()) {
    const complain = (what: string) => complaints.push(`step ${i}: ${what}`);
    const command = 'write' in step ? 'dispatch' : 'copy';
    // The state of the buffers at the unordered-access barrier before this step; null if there is no barrier.
    let before: readonly Buffer[] | null = null;
    let note = take();
    for (; note[0] === 'uav' || note[0] === 'transition'; note = take()) {
      if (note[0] === 'uav') {
        if (before !== null) complain('two barriers, where one does');
        before = buffers.map((buffer) => Object.assign(new Buffer(), buffer));
        for (const buffer of buffers) buffer.isRead = buffer.isWritten = false;
      } else {
        transition(bufferAt(names.indexOf(note[1] ?? '')), Number(note[2]), Number(note[3]), complain);
      }
    }
    if (note[0] !== command) {
      complain(`a ${command} is recorded as ${note.join(' ')}`);
      return complaints;
    }
    if ('write' in step) {
      const isNeeded = before === null || hazardOf(step, (index) => before[index] ?? new Buffer()) !== null;
      if (!isNeeded) complain('a barrier that it does not need');
      const hazard = hazardOf(step, bufferAt);
      if (hazard !== null) complain(`no barrier for ${hazard}`);
      for (const index of step.reads) use(bufferAt(index), UNORDERED_ACCESS, complain).isRead = true;
      use(bufferAt(step.write), UNORDERED_ACCESS, complain).isWritten = true;
    } else if ('copyTo' in step) {
      if (note[1] !== names[step.copyTo]) complain('a copy to another buffer');
      const buffer = use(bufferAt(step.copyTo), COPY_DEST, complain);
      if (buffer.isCopiedTo) complain('no transition between two copies to the same bytes');
      buffer.isCopiedTo = true;
    } else {
      if (note[2] !== names[step.copyFrom]) complain('a copy from another buffer');
      use(bufferAt(step.copyFrom), COPY_SOURCE, complain);
    }
  }
  if (rest.join() !== 'close') complaints.push(`at the end: ${rest.join(', ')}`);
  return complaints;
}

function hazardOf({ reads, write }: Extract<Step, { write: number }>, at: (index: number) => Buffer): string | null {
  const read = reads.find((index) => at(index).isWritten);
  if (read !== undefined) return `a read of buffer ${read} after a write`;
  if (at(write).isWritten) return `a write to buffer ${write} after a write`;
  return at(write).isRead ? `a write to buffer ${write} after a read` : null;
}

/** Changes the buffer's state. A transition also waits for all earlier access to the buffer. */
function transition(buffer: Buffer, from: number, to: number, complain: (what: string) => void): void {
  if (buffer.state !== from) complain(`a transition from state ${from} of a buffer in state ${buffer.state}`);
  Object.assign(buffer, { state: to, isRead: false, isWritten: false, isCopiedTo: false });
}

function use(buffer: Buffer, state: number, complain: (what: string) => void): Buffer {
  if (buffer.state === COMMON) buffer.state = state;
  if (buffer.state !== state) complain(`needs state ${state} of a buffer in state ${buffer.state}`);
  return buffer;
}
