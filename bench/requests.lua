-- Sends the requests of a file in turn, one per line: a path, or a path, a tab and a body to POST.
-- Arguments: the file, the API key, the line to begin with.
local requests, at = {}, 0

function init(args)
  local headers = { Authorization = "Bearer " .. args[2] }
  local posting = { Authorization = headers.Authorization, ["Content-Type"] = "application/json" }
  for line in io.lines(args[1]) do
    local path, body = line:match("^([^\t]*)\t(.*)$")
    requests[#requests + 1] = body and wrk.format("POST", path, posting, body)
      or wrk.format("GET", line, headers)
  end
  at = tonumber(args[3]) % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"micros":%d,"refused":%d,"broken":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
