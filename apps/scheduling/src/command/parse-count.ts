import { CommandFailure, exitCodes } from '@rostergate/runtime/command';

/** Makes the reader of an option that takes a whole number within bounds. */
export function parseCount(option: string, min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new CommandFailure(`${option} takes a whole number from ${min} to ${max}.`, exitCodes.usage);
  };
}
