export type { Account } from './accounts/account.ts';
export { type AccountEntry, parseAccountsFile } from './accounts/accounts-file.ts';
export { type App, type AppDependencies, createApp } from './app.ts';
export { type Settings, settingsPrefix, settingsSchema } from './settings.ts';
export { openStore } from './store/open-store.ts';
export { type OpenStore, openSqliteStore } from './store/sqlite-store.ts';
export type { StaffStore } from './store/staff-store.ts';
