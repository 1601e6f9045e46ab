export * from './gen/handlers.gen.ts';
export * from './gen/operations.gen.ts';
export * from './gen/router.gen.ts';
