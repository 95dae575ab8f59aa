import { i18n, type Messages } from '@lingui/core';
import en from './pages/en.json';

// Read with the first page that needs them; other languages bring theirs along (i18n.ts).
i18n.load('en', en as Messages);
