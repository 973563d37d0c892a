/** The selection of conformance cases of the operators that move elements. */
import { testFamily } from './short-selection.js';

testFamily('moving');
