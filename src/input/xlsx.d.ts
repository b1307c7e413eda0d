/** SheetJS without what nobody needs here. */
declare module '@e965/xlsx/dist/xlsx.core.min.js' {
  export { read } from '@e965/xlsx';
}
