import { startCopyButtons } from './copy-buttons.js';
import { startKeyTester } from './key-tester.js';
import { startLiveFigures } from './live-figures.js';
import { startOperationList } from './operation-list.js';
import { startReadiness } from './readiness.js';

// Each does nothing without its block.
startCopyButtons();
startOperationList();
startReadiness();
startKeyTester();
startLiveFigures();
