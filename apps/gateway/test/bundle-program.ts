import { bundlePrograms } from '../../../tools/workspace/bundle-programs.ts';

/** For vitest: its tests start it some two hundred times. */
export default (): Promise<void> => bundlePrograms(['gateway']);
