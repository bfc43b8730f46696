import {expect, test} from 'vitest';
import {cpu} from '../../test/cpu.ts';
import {bare, inMiddle, pieces} from './names.ts';

const shape = (name: string): string =>
  pieces(name)
    .map(({text, cut}) => `${{first: 1, second: 2, third: 3, last: 4}[cut]}:${text}`)
    .join('|');

test.each([
  ['main', '4:main'],
  ['crasher()', '4:crasher|1:()'],
  ['work::Queue<Node*>::drain(int)', '3:work::Queue|2:<Node*>|4:::drain|1:(int)'],
  ['f(int) const', '4:f|1:(int) const'],
  ['f() [clone .cold]', '4:f|1:() [clone .cold]'],
  ['(anonymous namespace)::f(int)', '3:(anonymous namespace)|4:::f|1:(int)'],
  ['a::operator<(B const&)', '3:a|4:::operator<|1:(B const&)'],
  ['a::operator()(int)', '3:a|4:::operator()|1:(int)'],
  ['a::operator->()', '3:a|4:::operator->|1:()'],
  ['std::vector<a<b<c>>>::at(x)', '3:std::vector|2:<a<b<c>>>|4:::at|1:(x)'],
  ['core::ops::FnOnce<()>::call_once', '3:core::ops::FnOnce|2:<()>|4:::call_once'],
  ['<T as Trait>::f', '2:<T as Trait>|4:::f'],
  ['f<fn(u8) -> u8>', '4:f|2:<fn(u8) -> u8>'],
  ['broken<(', '4:broken<('],
  ['odd>>name', '4:odd>>name'],
  ['harbor::net::Reader::parse(int)', '3:harbor::net::Reader|4:::parse|1:(int)'],
  ['app::run::h0123456789abcdef', '3:app|4:::run::h0123456789abcdef'],
  ['std::vector<int>', '3:std|4:::vector|2:<int>'],
  ['', ''],
])('pieces(%s)', (name, want) => {
  expect(shape(name)).toBe(want);
  expect(
    pieces(name)
      .map(p => p.text)
      .join(''),
  ).toBe(name);
});

test('bare leaves the arguments out', () => {
  expect(bare('work::process(work::Queue<Node*>&, int)')).toBe('work::process');
  expect(bare('a::operator()(int) const')).toBe('a::operator()');
  expect(bare('main.(*Ring).At(i int)')).toBe('main.(*Ring).At');
  expect(bare('(')).toBe('(');
});

test('a name of unclosed brackets is read once, not once for each', () => {
  const start = cpu();
  pieces('('.repeat(20_000));
  pieces('<'.repeat(20_000));
  expect(cpu() - start).toBeLessThan(500);
});

test.each([
  ['short()', 20, 'short()'],
  ['std::map<std::string, std::vector<int>>::insert(int const&, long)', 24, 'std::map<…>::insert(…)'],
  ['harbor::net::Connection::Reader::parse_header', 24, 'harbor::…r::parse_header'],
  ['x'.repeat(4096), 10, 'xxx…xxxxxx'],
  ['接続プール管理スレッド', 10, '接…レッド'],
  ['worker 🧵🧵🧵🧵', 10, 'wor…🧵🧵🧵'],
  ['very::long::scope::of::f<Argument>() const', 36, 'very::long::scope::of::f<…>() const'],
])('%s in %i letters', (name, letters, short) => expect(inMiddle(name, letters)).toBe(short));
