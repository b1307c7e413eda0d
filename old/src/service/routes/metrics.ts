import type { Admission } from '../http/admission/admission.ts';
import { createResponse } from '../http/response.ts';
import type { Handler } from '../http/router.ts';

/** The version of the exposition format that Prometheus has read from the start. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Everything that is measured, as text for Prometheus, with what clients use of the service's port. */
export function createMetricsHandler({
  connections,
  requests,
  refusals,
}: Pick<Admission, 'connections' | 'requests' | 'refusals'>): Handler {
  return async (_request, { metrics, adds, readiness }) => {
    const gauges = {
      connections: connections.size,
      requestsInFlight: requests.waiting.requests,
      waitingAdds: adds.size,
      waitingReads: requests.waiting.reads,
      isReady: readiness.obstacle === undefined,
    };
    return createResponse(200, TYPE, await metrics.write(gauges, refusals.write()));
  };
}
