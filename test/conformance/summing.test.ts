/** The selection of conformance cases of the operators that combine many elements. */
import { testFamily } from './short-selection.js';

testFamily('summing');
