/// The peer: a plain frontier method in Python with the same rules and a greedy order, as nothing else counts scenarios.
///
/// Arguments are the file, the number of scenarios that must come out, and the rounds; it prints the best time in
/// milliseconds, and fails if the number is another.
let pythonCount = """
  import json, sys, time
  data = json.load(open(sys.argv[1]))
  level = {'U': 0, 'A': 1, 'C': 2}
  inner = {p['id'] for p in data['pools'] if p['kind'] == 'internal'}
  first = {p['id']: (0, 2, 0, 0) for p in data['pools']}
  for row in data['observations']:
      labels = [level[x] for x in (row['label'] if isinstance(row['label'], list) else [row['label']])]
      first[row['pool']] = (min(labels), max(labels), 0, 0)
  def conditions(process, field, usual):
      rows = [(x, usual) if isinstance(x, str) else (x['pool'], x.get('trigger', usual)) for x in process.get(field, [])]
      return [(pool, level[trigger]) for pool, trigger in rows]
  def effects(process):
      found = [{}]
      ins, outs = conditions(process, 'in', 'A'), [p for p, _ in conditions(process, 'out', 'A')]
      for inputs, outputs in [(ins, outs)] + ([([(p, 1) for p in outs], [p for p, _ in ins])] if process.get('reversible') else []):
          effect = {}
          def add(pool, low, high, made, taken):
              a = effect.get(pool, (0, 2, 0, 0))
              effect[pool] = (max(a[0], low), min(a[1], high), a[2] | made, a[3] | taken)
          for pool, trigger in inputs: add(pool, trigger, 2, 0, pool not in outputs)
          for pool in outputs: add(pool, 1, 2, pool not in [p for p, _ in inputs], 0)
          for pool, trigger in conditions(process, 'inhibitors', 'C'): add(pool, 0, trigger - 1, 0, 0)
          for pool, trigger in conditions(process, 'activators', 'A'): add(pool, trigger, 2, 0, 0)
          found.append(effect)
      return found
  def closes(pool, state):
      low, high, made, taken = state
      if pool in inner:
          if made != taken: return False
          if not made: high = min(high, 1)
      return low <= high
  def count():
      every = [effects(p) for p in data['processes']]
      users = {p: [i for i, e in enumerate(every) if any(p in x for x in e)] for p in first}
      # A boundary that nothing can keep from a level does not matter.
      for pool in [p for p in first if p not in inner and first[p][:2] == (0, 2)]:
          if all(x.get(pool, (0, 2))[1] == 2 for i in users[pool] for x in every[i]):
              users[pool] = []
              for effect in [x for e in every for x in e]: effect.pop(pool, None)
      order, left = [], {p: set(u) for p, u in users.items() if u}
      while left:
          open_ = [p for p in left if len(left[p]) < len(users[p])] or list(left)
          pool = min(open_, key=lambda p: (len(left[p]), p))
          new = sorted(left.pop(pool))
          order += new
          left = {p: u - set(new) for p, u in left.items()}
          left = {p: u for p, u in left.items() if u}
      place = {p: k for k, p in enumerate(order)}
      order += [i for i in range(len(every)) if i not in place]
      place = {p: k for k, p in enumerate(order)}
      last = {p: max(place[i] for i in u) for p, u in users.items() if u}
      if not all(closes(p, s) for p, s in first.items() if not users[p]): return 0
      states = {(): 1}
      for k, process in enumerate(order):
          pools = sorted({p for e in every[process] for p in e})
          after = {}
          for key, ways in states.items():
              known = dict(key)
              for effect in every[process]:
                  now, ok = dict(known), True
                  for pool in pools:
                      a, b = now.get(pool, first[pool]), effect.get(pool, (0, 2, 0, 0))
                      s = (max(a[0], b[0]), min(a[1], b[1]), a[2] | b[2], a[3] | b[3])
                      if s[0] > s[1]: ok = False; break
                      now[pool] = s
                      if last[pool] == k:
                          if not closes(pool, s): ok = False; break
                          del now[pool]
                  if ok:
                      end = tuple(sorted(now.items()))
                      after[end] = after.get(end, 0) + ways
          states = after
      return sum(states.values())
  best = 1e9
  for _ in range(int(sys.argv[3])):
      start = time.perf_counter()
      found = count()
      best = min(best, time.perf_counter() - start)
  if str(found) != sys.argv[2]: sys.exit(1)
  print(best * 1000)
  """
