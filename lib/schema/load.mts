/** Like load.ts, for dist/module, which is bundled: the table and the names are part of the bundle. */
import { otherOperatorNames } from './generated/other-names.js';
import { operatorTable } from './generated/table.js';

export const loadTable = () => operatorTable;

export const loadOtherNames = otherOperatorNames;
