import { links, type Misbehavior, pagesOnly, succeeds } from './misbehavior.ts';

const next = (target: string) => `<${target}>; rel="next"`;

export const pages: readonly Misbehavior[] = [
  links('a page that links to itself', pagesOnly, ({ path }) => next(path)),
  links('a page that links to itself with a fragment', pagesOnly, ({ path, count }) =>
    next(`${path}#${count}`),
  ),
  links('pages A, B, A', pagesOnly, ({ count }) => next(`?cursor=${count % 2}`)),
  links(
    'empty pages, each with a new link',
    pagesOnly,
    ({ count }) => next(`?cursor=${count}`),
    '',
  ),
  links('a next page at another origin', pagesOnly, () => next('http://127.0.0.1:9/v1/pets?c=1')),
  links('a next page outside the base path', pagesOnly, () => next('/v2/pets?cursor=1')),
  links('a next page by javascript:', pagesOnly, () => next('javascript:alert(1)')),
  links('a next page in a quoted title', succeeds, () => '<?c=1>; title="a; rel=next"'),
  links('a next page of another page', succeeds, () => '<?c=1>; rel="next"; anchor="/other"'),
  links('a Link header that is not one', succeeds, () => 'next, <?c=1; rel=next'),
];
