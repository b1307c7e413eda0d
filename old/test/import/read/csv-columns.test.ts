import { describe, expect, it } from 'vitest';
import {
  detectDelimiter,
  findSeparatorLine,
  readColumns,
} from '../../../src/import/read/csv-columns.ts';

describe('the delimiter', () => {
  it.each([
    ['name,categoryId', ','],
    ['name;categoryId', ';'],
    ['name\tcategoryId', '\t'],
    ['name', ','],
    ['', ','],
    ['a;b,c;d', ';'],
    ['a,b,c;name;status', ';'],
    ['"name";"category";x,y,z,u,v', ';'],
    [' name ; status ', ';'],
    [' "name" ; "category" ;x,y,z,u,v', ';'],
    ['sep=;', ';'],
    ['"sep=\t"', '\t'],
    ['sep=|', ','],
  ])('of %j is %j', (header, delimiter) => {
    expect(detectDelimiter(header)).toBe(delimiter);
  });

  it.each([
    ['sep=;', ';'],
    ['SEP=,', ','],
    ['sep=;  ', ';'],
    ['"sep=;"', ';'],
    ['sep=|', undefined],
    ['sep=', undefined],
    ['sep=;;', undefined],
    ['xsep=;', undefined],
    ['sep=;x', undefined],
    ['name;sep', undefined],
  ])('that %j tells Excel is %j', (line, delimiter) => {
    expect(findSeparatorLine(line)).toBe(delimiter);
  });
});

describe('the first line', () => {
  const all = 'Columns: name, categoryId, status, id';

  it.each([
    [
      ['name', 'categoryId', 'status'],
      ['name', 'categoryId', 'status'],
    ],
    [
      ['NAME', 'category_id'],
      ['name', 'categoryId'],
    ],
    [
      ['Name', 'Category-Id', '', 'ID'],
      ['name', 'categoryId', '', 'id'],
    ],
    [
      ['name', 'Category Number'],
      ['name', 'categoryId'],
    ],
    [
      ['Category', 'Name'],
      ['categoryId', 'name'],
    ],
  ])('%j names the columns %j', (names, fields) => {
    expect(readColumns(names, 'the first line')).toEqual({ fields, problems: [] });
  });

  it.each([
    [
      ['name', 'category', 'Name'],
      {
        column: 3,
        field: 'name',
        reason: 'is given twice in the first line, as name and Name',
      },
    ],
    [
      ['name', 'category', 'name'],
      { column: 3, field: 'name', reason: 'is given twice in the first line' },
    ],
    [
      ['name', 'category', 'color'],
      { column: 3, field: 'color', reason: `is not a pet column. ${all}` },
    ],
    [
      ['name', 'category', ' color '],
      { column: 3, field: 'color', reason: `is not a pet column. ${all}` },
    ],
    [
      ['name', ' ', 'status'],
      {
        column: 1,
        reason: 'there is no column categoryId; the first line must name the columns',
      },
    ],
    [
      ['categoryId'],
      {
        column: 1,
        reason: 'there is no column name; the first line must name the columns',
      },
    ],
    [
      ['name', 'category', 'statsu'],
      {
        column: 3,
        field: 'statsu',
        reason: `is not a pet column. Did you mean status? ${all}`,
      },
    ],
  ])('%j is wrong at its column', (names, problem) => {
    expect(readColumns(names, 'the first line').problems).toEqual([problem]);
  });

  it('that is a pet, or something else, is shown', () => {
    expect(readColumns([' Rex ', '7', 'sold'], 'the first line').problems).toEqual([
      {
        column: 1,
        reason:
          'the first line must name the columns, such as name,category,status; it is: Rex, 7, sold',
      },
    ]);
  });
});
