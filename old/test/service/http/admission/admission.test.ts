import { expect, it, onTestFinished } from 'vitest';
import {
  type AdmissionSettings,
  createAdmission,
} from '../../../../src/service/http/admission/admission.ts';
import { createRefusals } from '../../../../src/service/http/admission/refusals.ts';
import { createLog } from '../../../../src/service/monitoring/log.ts';

function resolveLimits(settings: AdmissionSettings) {
  const { limits, connections } = createAdmission(
    settings,
    createRefusals(createLog(() => {}, 'silent')),
  );
  onTestFinished(connections.close);
  return limits;
}

it.each([
  [false, '127.0.0.1', true],
  [false, '203.0.113.7', false],
  [true, '203.0.113.7', true],
])(
  'with --behind-proxy %s the connections of %s are not counted: %s',
  (behindProxy, address, isExempt) => {
    expect(resolveLimits({ behindProxy }).isExemptAddress(address)).toBe(isExempt);
  },
);

it('the connections of one address are bounded as set, or by default', () => {
  expect(resolveLimits({ behindProxy: false }).connectionsPerAddress).toBe(500);
  const settings = { behindProxy: false, connectionsPerAddress: 7 };
  expect(resolveLimits(settings).connectionsPerAddress).toBe(7);
});
