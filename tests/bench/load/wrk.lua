-- Sends the requests of a file in turn (method, path and headers made by wrk.ts); tells the result as one JSON line.
local requests = {}
local at = 0

function init(args)
  local file = assert(io.open(os.getenv("BENCH_REQUESTS"), "rb"))
  local text = file:read("*a")
  file:close()
  for request in text:gmatch("[^%z]+") do requests[#requests + 1] = request end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency, all)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
