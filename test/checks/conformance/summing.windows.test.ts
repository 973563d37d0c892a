/** The conformance cases of the operators that combine many elements. */
import { testPart } from './short-selection.js';

testPart('summing');
