import { createHash } from 'node:crypto';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files in random order, as the seed says, but one project after the other: a worker serves one project, and would
 * otherwise end whenever the next file is another's. The files of the last project are short and keep every worker busy.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const { root, sequence } = this.ctx.config;
    return files
      .map((file) => {
        const place = projects.indexOf(file.project.name);
        return {
          file,
          place,
          draw: hash(`${sequence.seed} ${path.relative(root, file.moduleId)}`),
        };
      })
      .sort((a, b) => a.place - b.place || (a.draw < b.draw ? -1 : 1))
      .map(({ file }) => file);
  }
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
