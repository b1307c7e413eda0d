import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files in random order, as the seed says, but one project after the other: a worker serves one project, and would
 * else end whenever the next file is another's. The files of the last project are short and keep every worker busy.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const { seed } = this.ctx.config.sequence;
    return files
      .map((file) => {
        const place = projects.indexOf(file.project.name);
        return { file, place, draw: hash(`${seed} ${file.moduleId}`) };
      })
      .sort((a, b) => a.place - b.place || (a.draw < b.draw ? -1 : 1))
      .map(({ file }) => file);
  }
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
