/** Profiles: how long the GPU works on what a function records. */
import { DirectMLError } from '../../values/errors.js';
import { booleanOption, readOptions, requireFunction } from '../../values/arguments.js';
import type { DeviceContext } from '../device-context.js';
import { Profiling, type DispatchProfile, type Profile } from './profiling.js';

/** Options of {@link Device.profile}. */
export interface ProfileOptions {
  /**
   * Whether to measure each dispatch separately, too. That makes the work slower: the GPU takes a timestamp after each
   * dispatch, and the dispatches of a recording are recorded again instead of replayed. Default: false.
   */
  readonly perDispatch?: boolean | undefined;
}

/** A profile, or the error of the function that was profiled. */
type Profiled = { readonly profile: Profile | DispatchProfile } | { readonly thrown: unknown };

export async function profile(
  context: DeviceContext,
  work: () => unknown,
  options: ProfileOptions | undefined,
): Promise<Profiled> {
  const method = 'profile';
  context.check(method);
  requireFunction(method, 'work', work);
  const perDispatch = booleanOption(method, 'perDispatch', readOptions(method, options, ['perDispatch']).get('perDispatch'));
  if (context.isProfiling) {
    throw new DirectMLError('ERR_PROFILE_RUNNING', `${method}: a profile of this device is running; await it first`);
  }
  context.isProfiling = true;
  try {
    // Otherwise the GPU might still be busy with earlier work, which would count in the wall time.
    await context.backend.idle();
    context.check(method);
    return await measure(context, work, perDispatch);
  } catch (error) {
    throw context.explain(method, error);
  } finally {
    context.isProfiling = false;
  }
}

async function measure(context: DeviceContext, work: () => unknown, perDispatch: boolean): Promise<Profiled> {
  const profiling = new Profiling(context.backend, perDispatch);
  context.profiling = profiling;
  // Without this, a function that waits for something else would never notice the end of the device.
  let remove = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    remove = context.ending.add(resolve);
  });
  try {
    await Promise.race([work(), end]);
  } catch (thrown) {
    profiling.abandon();
    return { thrown };
  } finally {
    context.profiling = null;
    remove();
  }
  context.check('profile');
  const profile = await profiling.end();
  context.check('profile');
  return { profile };
}
