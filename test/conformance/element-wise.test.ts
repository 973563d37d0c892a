/** The selection of conformance cases of the element-wise operators. */
import { testFamily } from './short-selection.js';

testFamily('element-wise');
