/** The conformance cases of the operators that move elements. */
import { testPart } from './short-selection.js';

testPart('moving');
