declare module 'swagger-ui-dist/absolute-path.js' {
  /** The folder of the files. */
  export default function getAbsoluteFSPath(): string;
}
