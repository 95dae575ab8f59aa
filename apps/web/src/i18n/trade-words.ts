import { i18n, type Messages } from '@lingui/core';
import en from './trade/en.json';

// Read with the trade pages; other languages bring theirs along (i18n.ts).
i18n.load('en', en as Messages);
