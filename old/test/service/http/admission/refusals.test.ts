import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createRefusals } from '../../../../src/service/http/admission/refusals.ts';
import { createLog, type LogLevel } from '../../../../src/service/monitoring/log.ts';

function open(level: LogLevel) {
  const lines: string[] = [];
  const refusals = createRefusals(createLog((line) => void lines.push(line), level));
  return { refusals, entries: () => lines.map((line) => JSON.parse(line)) };
}

it('what is refused is counted by its limit, which is listed before anything is', () => {
  const { refusals } = open('info');
  for (const limit of ['reads', 'adds', 'reads'] as const) refusals.countRequest(limit);
  refusals.closeConnection(new Socket(), 'first_byte');
  expect(refusals.write()).toEqual([
    '# HELP petstore_refused_requests_total Requests refused at a limit.',
    '# TYPE petstore_refused_requests_total counter',
    'petstore_refused_requests_total{limit="requests"} 0',
    'petstore_refused_requests_total{limit="adds"} 1',
    'petstore_refused_requests_total{limit="adds_of_key"} 0',
    'petstore_refused_requests_total{limit="reads"} 2',
    '# HELP petstore_closed_connections_total Connections closed at a limit.',
    '# TYPE petstore_closed_connections_total counter',
    'petstore_closed_connections_total{limit="connections"} 0',
    'petstore_closed_connections_total{limit="connections_of_address"} 0',
    'petstore_closed_connections_total{limit="first_byte"} 1',
    'petstore_closed_connections_total{limit="unanswered_requests"} 0',
    'petstore_closed_connections_total{limit="unread_responses"} 0',
    'petstore_closed_connections_total{limit="body_pieces"} 0',
  ]);
});

it.each(['info', 'silent'] as const)('a connection is closed once, and logged at %s', (level) => {
  const { refusals, entries } = open(level);
  const socket = new Socket();
  for (let round = 0; round < 2; round += 1) refusals.closeConnection(socket, 'body_pieces');
  expect(socket.destroyed).toBe(true);
  expect(refusals.write()).toContain('petstore_closed_connections_total{limit="body_pieces"} 1');
  const line = { level: 'info', message: 'connection closed', limit: 'body_pieces' };
  expect(entries()).toMatchObject(level === 'info' ? [line] : []);
});
