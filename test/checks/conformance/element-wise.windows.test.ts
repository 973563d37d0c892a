/** The conformance cases of the element-wise operators. */
import { testPart } from './short-selection.js';

testPart('element-wise');
