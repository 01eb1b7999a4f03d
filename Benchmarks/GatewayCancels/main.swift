// Requests cancelled at random moments, among them while a name is looked up on a resolver that never
// answers, with other streams running on beside them.
//
//     swift run -c release GatewayCancels [--cancels 2000] [--seed 1] [--streams 4]
//
// Runs itself in a network and mount namespace of its own (`unshare -rnm`) with a dead resolver; where
// that is not allowed, look-ups are left out and it says so. Exits with 1 where a stream missed an
// event, a cancel told something else, or a descriptor, thread or handle stayed.

import Foundation
import Measuring

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if !options.isInside, let status = try Namespace.runInside(options) { exit(status) }
  try exit(await Storm(options).run() ? 0 : 1)
} catch {
  print(error)
  exit(1)
}
