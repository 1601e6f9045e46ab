/** So many times what is promised, or was recorded, is no noise any more. */
export const marginOfGuard = 1.5;
