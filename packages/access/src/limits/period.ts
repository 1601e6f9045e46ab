const dayMs = 86_400_000;

/** Returns when the day or month of this time ends, in milliseconds since the epoch. Both begin at 00:00 UTC. */
export function periodEndAfter(utcMs: number, period: 'day' | 'month'): number {
  if (period === 'day') return (Math.floor(utcMs / dayMs) + 1) * dayMs;
  const date = new Date(utcMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns how long the day or month of this time is, in milliseconds. */
export function periodLengthAt(utcMs: number, period: 'day' | 'month'): number {
  if (period === 'day') return dayMs;
  const date = new Date(utcMs);
  return periodEndAfter(utcMs, period) - Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
