/** Like load.ts, for dist/module, which is bundled: the backend is part of the bundle. */
import * as directml from './index.js';

export const loadDirectML = () => directml;
