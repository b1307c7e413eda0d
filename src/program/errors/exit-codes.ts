/** The families of failure and the exit code of each, as `petstore help exit-codes` lists them. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  refused: 3,
  auth: 4,
  not_found: 5,
  rejected: 6,
  service: 7,
  unreachable: 8,
  unknown_outcome: 9,
  incomplete: 10,
  interrupted: 130,
  terminated: 143,
} as const;
export type ErrorClass = keyof typeof exitCodes;
