[
  {
    name: 'with a real keyring > logs in, looks, works and logs out; other programs see the same bytes',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'with a real keyring > asks on a terminal and shows nothing of the answer',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'with a real keyring > tells a locked keychain from an absent key, and forgets nothing meanwhile',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore help environments',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore list --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore auth --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore auth login --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore auth token --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore --version',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env list',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env list --json',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env show',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env show --explain',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env set demo --url https://demo.pets.test/v1',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore env use production',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore completion bash',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore serve --help',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore list --limit nonsense',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore list --env unknown',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore add Rex --category 1 --dry-run',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is not started by: petstore add Rex --category 1 --env staging --confirm production',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'the keychain’s child process > is started when a request is about to be sent',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
  {
    name: 'two commands at once > lose nothing of the config file',
    file: '/work/w-windows/test/e2e/keychain.test.ts',
    projectName: 'all',
  },
];
