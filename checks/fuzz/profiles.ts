/** Valid profiles. They succeed unless their device is gone, memory runs out, or another profile of the device is running. */
import type { Random } from '../harness/random.js';
import { bindAll } from './actions.js';
import { any, onDevice, pickLive, type Weighted } from './make.js';
import { WrongResult } from './wrong-result.js';
import type { HeldDevice } from './held.js';
import { isLive, type World } from './world.js';

/** A part of what a profile measures; returns the number of its dispatches. */
type Step = () => number | Promise<number>;

class Thrown extends Error {}

function stepOf(random: Random, world: World, owner: HeldDevice): Step | null {
  return random.pick<() => Step | null>([
    () => {
      const own = world.operators.filter((operator) => operator.owner === owner);
      const held = pickLive(random, own);
      if (held === null) return null;
      const bind = bindAll(random, world, held);
      const times = random.chance(0.1) ? random.int(200, 600) : random.int(1, 4);
      return () => {
        const { bindings } = bind();
        for (let i = 0; i < times; i++) held.value.dispatch(bindings);
        return times;
      };
    },
    () => {
      const whole = world.recordings.filter(
        (recording) => recording.owner === owner && recording.needs.every((need) => isLive(need)),
      );
      const held = pickLive(random, whole);
      const times = random.int(1, 6);
      if (held === null) return null;
      return () => {
        for (let i = 0; i < times; i++) held.value.replay();
        return times * held.value.dispatchCount;
      };
    },
    () => async () => {
      await owner.device.idle();
      return 0;
    },
    () => () => new Promise((resolve) => setImmediate(() => resolve(0))),
  ])();
}

const profile = onDevice((owner, random, world) => {
  const { device, backend } = owner;
  const steps = Array.from({ length: random.int(0, 6) }, () => stepOf(random, world, owner));
  const perDispatch = random.chance(0.5);
  const throws = random.chance(0.1);
  return any(`profile(${steps.length} steps${throws ? ', then an error' : ''}, ${perDispatch})`, async () => {
    let count = 0;
    const work = async () => {
      for (const step of steps) count += (await step?.()) ?? 0;
      if (throws) throw new Thrown();
    };
    try {
      const { gpuMs, wallMs, dispatchCount } = await device.profile(work, { perDispatch });
      // Other calls may have dispatched in the meantime.
      if (dispatchCount < count) throw new WrongResult(`${dispatchCount} dispatches in place of ${count}`);
      const isPlausible = backend === 'reference' ? gpuMs === null : gpuMs !== null && gpuMs >= 0 && gpuMs <= 1.1 * wallMs + 1;
      if (!isPlausible) throw new WrongResult(`${gpuMs} ms of ${wallMs} ms`);
      if (throws) throw new WrongResult('the error of the function did not come out');
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
    }
  });
});

export const profiles: Weighted = [[30, profile]];
