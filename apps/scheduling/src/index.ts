export type { Account } from './accounts/account-store.ts';
export { type AccountEntry, parseAccountsFile } from './accounts/accounts-file.ts';
export { type App, type AppDependencies, createApp } from './app.ts';
export { type Settings, settingsPrefix, settingsSchema } from './settings.ts';
export { openStore } from './store/open-store.ts';
export { openSqliteStore } from './store/sqlite-store.ts';
export type { OpenStore, StaffStore } from './store/staff-store.ts';
export { createVendorForm } from './vendor/vendor-form.ts';
export { vendorRoutes } from './vendor/vendor-routes.ts';
