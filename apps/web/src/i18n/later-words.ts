import { i18n, type Messages } from '@lingui/core';
import en from './later/en.json';

// Read with contracts, dialogs and rare tickets, which no page of a pair needs at first; every part that uses one of
// these texts imports this file (catalogues.test.ts). Other languages bring theirs along (i18n.ts).
i18n.load('en', en as Messages);
