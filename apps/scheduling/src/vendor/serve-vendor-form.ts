import { type ContractRouter, createLocalSender, createServer } from '@rostergate/server';
import type { Settings } from '../settings.ts';
import { createSimulatedFaults } from './simulated-faults.ts';
import { createVendorForm } from './vendor-form.ts';

/** Returns a router that serves `/v2` in the vendor's form by asking the given one in memory, and all else unchanged. */
export function serveVendorForm(router: ContractRouter, settings: Settings, clock: () => number): ContractRouter {
  const contract = createServer({ router: () => router });
  const form = createVendorForm({
    send: createLocalSender(() => contract),
    bodyBytesMax: settings.body_bytes_max,
    simulateFault: createSimulatedFaults({ ...settings, clock }),
  });
  const serve: Serve = (req, res, next) => {
    if (/^\/v2(?:[/?]|$)/.test(req.url)) void form(req, res);
    else router(req, res, next);
  };
  return Object.assign(serve, router);
}

type Serve = (...args: Parameters<ContractRouter>) => void;
