import { bundlePrograms } from '../../workspace/bundle-programs.ts';

/** For vitest: what its tests start most. What all of them share runs from the sources. */
export default (): Promise<void> => bundlePrograms(['gateway', 'staff-proxy', 'scheduling']);
