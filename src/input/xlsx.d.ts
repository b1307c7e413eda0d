/** SheetJS with the code pages that .xls needs. */
declare module '@e965/xlsx/dist/xlsx.full.min.js' {
  export { read } from '@e965/xlsx';
}
