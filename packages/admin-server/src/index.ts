export * from './gen/operations.gen.ts';
export * from './gen/router.gen.ts';
