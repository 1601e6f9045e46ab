/** Stands beside the gateway's bundle and is written by a later task, since it needs the gateway's services. */
export const fragmentFile = 'endpoints.gen.yaml';
