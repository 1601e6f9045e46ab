// Written by tools/contract from specs/staff/openapi.yaml. Do not edit: run `pnpm generate`.
export interface paths {
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Exchanges the email and password of an account for a bearer token (RFC 6750). Send the token as `Authorization: Bearer <token>` with every other request. Log in again when it has expired. Credentials are accepted in the body only, as a form or as JSON, up to 16 KiB. Repeated failures are throttled with 429.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the staff of a company
         * @description Returns the staff of one company as a bare JSON array. The default order is by StaffKey, and ties are always ordered by StaffKey. Without `$top`, the whole company is returned. When no person matches, the array is empty. A collection is null unless `$expand` or `includes` names it. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are then empty arrays. The options are applied in the order `$filter`, `$count`, `$orderby`, `$skip`, `$top`, `$expand`, `$select`. A client that sends `$count=true`, or accepts `application/json;odata.metadata=minimal`, receives the OData envelope instead of the bare array. `Prefer: maxpagesize=<n>` divides the envelope into pages. `Prefer: odata.track-changes` adds a link to the later changes, where a person who has left the list comes with `@removed`. Undeclared query parameters return 400.
         */
        get: operations["listStaffMembers"];
        put?: never;
        /**
         * Create a person
         * @description Adds a person to the account's company. StaffId is required. FirstName, LastName and Abbrev default to `CHANGEME`. When a person with this StaffId exists, the response is 409. With `UpdateIfExisting`, that person is updated with the members sent instead, and the response is 200. Members that the schema does not declare return 400.
         */
        post: operations["createStaffMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * Read one person
         * @description Returns one person of the account's company. An unknown key, and a key of another company, return 404. A person that `$filter` does not match also returns 404. The company follows from the account, so there is no companyKey. A collection is null unless `$expand` or `includes` names it. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are then empty arrays. `$orderby` is validated but has no effect.
         */
        get: operations["getStaffMember"];
        /**
         * Update a person
         * @description Changes the members that are sent. All other members keep their values, and null clears a property. Keys, collections and read-only properties cannot be set. A StaffId of another person of the company returns 409. The response is the updated person.
         */
        put: operations["updateStaffMember"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/location": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's locations
         * @description Returns the locations of a person as a bare array, ordered by LocationKey. For an account without the scope `admin`, every `Tags` in it is an empty array.
         */
        get: operations["listStaffLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/location/{location_key}/tag": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the location. Any string is accepted. An unknown key returns 404, never 400.
                 * @example main-campus
                 */
                location_key: components["parameters"]["LocationKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Tag a person's location
         * @description Sets a tag on a location of a person. The tag is identified by category and name, or by TagKey. It starts on `effectiveDate`, by default today. Within a category, a tag ends when the next tag starts, and the last tag ends on 2100-01-01. A tag replaces another tag of its category with the same start. When the person already has the tag, the tag gets the new date, and the tag before it lasts until the next one. A tag that the company does not have returns 400. A location that the person does not have returns 404.
         */
        put: operations["addStaffLocationTag"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/tag": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tag a person
         * @description Adds a tag to a person. The tag is identified by category and name, or by TagKey. It starts on `effectiveDate`, by default today, and ends on 2100-01-01. `effectiveDate` must be before that date. The response is the category with all of the person's tags in it. When the person already has the tag, the tag gets the new date. A tag that the company does not have returns 400. To read tags, use `$expand=Tags` on the person. GET on this path returns 405.
         */
        post: operations["addStaffTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/skillset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/skillset/{task_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted. An unknown key returns 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the days on which a person does a task
         * @description Sets the days on which a person is skilled for a task and returns the entry. Days that are not sent keep their values. A task that the person does not have is added. A task that the company does not have returns 404.
         */
        put: operations["setStaffSkillset"];
        post?: never;
        /**
         * Remove a task from a person
         * @description Removes a task from the skillset of a person, for all days. A task that the person does not have returns 404.
         */
        delete: operations["removeStaffSkillset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's profiles
         * @description Returns the profiles of a person as a bare array, ordered by ProfileKey. For an account without the scope `admin`, the array is empty.
         */
        get: operations["listStaffProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/profile/{profile_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the profile. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
                 */
                profile_key: components["parameters"]["ProfileKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set a person's profile
         * @description Adds a profile to a person or changes its flags, and returns the entry. Members that are not sent keep their values. For a new entry, IsViewable defaults to true and IsSchedulable to false. A profile that the company does not have returns 404.
         */
        put: operations["setStaffProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/payModifier": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's pay modifiers
         * @description Returns the pay modifiers of a person as a bare array, ordered by PayModifierKey. For an account without the scope `admin`, PayModifierTagKeys is an empty array, and LocationTagKey and TaskTagKey are null.
         */
        get: operations["listPayModifiers"];
        put?: never;
        /**
         * Create a pay modifier
         * @description Adds one pay modifier to a person and returns it with its key. StartDate must not be after EndDate, and every named tag must exist. The 400 lists every fault.
         */
        post: operations["createPayModifier"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/payModifier/{pay_modifier_key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a pay modifier
         * @description Changes the members that are sent. All other members keep their values. `PayModifierTags` replaces all tags. The rules for creating a pay modifier apply to the result.
         */
        put: operations["updatePayModifier"];
        post?: never;
        /**
         * Delete a pay modifier
         * @description Deletes a pay modifier of a person. An unknown pay modifier, or one of another person, returns 404.
         */
        delete: operations["deletePayModifier"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/badgeId": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's badges
         * @description Returns the badges of a person as a bare array, ordered by BadgeId.
         */
        get: operations["listBadgeIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/requestlimit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        /**
         * List a person's request limits
         * @description Returns the request limits that name a person as a bare array, ordered by Key. ShiftCredits and StaffLimits are null unless included.
         */
        get: operations["listRequestLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/staffmember/{staff_key}/manager": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set or clear a person's manager
         * @description Sets the manager by StaffId or by key, or clears it, and returns the person. The body has exactly one member. A manager who does not exist in the company returns 400. A manager who reports to this person, directly or through others, also returns 400.
         */
        post: operations["setStaffManager"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server responds
         * @description Returns 200 and the running version as long as the server responds to requests. It checks nothing else. Use /health/ready to check that the server can serve requests. Rate limits do not apply.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description For a supervisor that restarts a stuck process. The response never depends on a database, an upstream or another process. Rate limits do not apply.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server is ready
         * @description For a load balancer that decides where to send requests. Returns 200 when the server can serve requests: `ready`, or `degraded` when a fault does not prevent it. Returns 503 when the server cannot. The body reports the state of each dependency. Rate limits do not apply.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get request metrics
         * @description Returns Prometheus text, or JSON when the Accept header prefers `application/json`. Routes are identified by path templates, never by the paths that clients sent.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the roster page
         * @description An HTML page that shows the staff, with search, tags and skills, and the API request that returns the same data. Users log in on the page. The page itself contains no data.
         */
        get: operations["getRosterPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roster/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the roster page uses
         * @description Style sheet, script or icon of the roster page. Any other name returns 404.
         */
        get: operations["getRosterAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in Swagger UI
         * @description An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from other origins.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the Swagger UI page uses
         * @description A script or style sheet of the Swagger UI page, from this server's own copy. Any other name returns 404.
         */
        get: operations["getDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in ReDoc
         * @description An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from other origins.
         */
        get: operations["getRedoc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the ReDoc page uses
         * @description A script or style sheet of the ReDoc page, from this server's own copy. Any other name returns 404.
         */
        get: operations["getRedocAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The credentials of an account. */
        LoginRequest: {
            /** @description Email address, or other name, of the account. */
            email: string;
            /**
             * Format: password
             * @description Password of the account.
             */
            password: string;
        };
        /** @description One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
        ProblemFault: {
            /**
             * @description JSON Pointer (RFC 6901) to the invalid member of the body. Empty for the whole body.
             * @example /StaffId
             */
            pointer?: string;
            /**
             * @description Name of the invalid query or path parameter.
             * @example $filter
             */
            parameter?: string;
            /**
             * @description Name of the invalid header.
             * @example Content-Type
             */
            header?: string;
            /**
             * @description Name of the invalid cookie.
             * @example session
             */
            cookie?: string;
            /**
             * @description Explanation of the fault.
             * @example must have required property 'StaffId'
             */
            detail: string;
        };
        /** @description An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifier of the problem type: `urn:rostergate:problem:` and `code`, or the URI that IANA registers for it.
             * @example urn:rostergate:problem:validation_failed
             */
            type: string;
            /**
             * @description Short summary of the problem type. The same for every occurrence.
             * @example Request validation failed
             */
            title: string;
            /**
             * @description HTTP status code of the response.
             * @example 400
             */
            status: number;
            /**
             * @description Explanation of this occurrence, with what to do next.
             * @example Correct the parts that errors lists and send the request again.
             */
            detail: string;
            /**
             * Format: uri-reference
             * @description Path of the request, without its query.
             * @example /v2/staffmember
             */
            instance?: string;
            /**
             * @description Exact cause of the problem.
             * @example validation_failed
             */
            code: string;
            /**
             * @description Family of the cause: `ValidationError` (400), `AuthenticationError` (401), `AuthorizationError` (403), `NotFoundError` (404), and one for each of the other statuses.
             * @example ValidationError
             */
            kind: string;
            /**
             * @description Value of the `X-Request-Id` response header. Include it in support requests.
             * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
             */
            request_id: string;
            /** @description All faults in the request, each with its location. */
            errors?: components["schemas"]["ProblemFault"][];
        };
        /** @description A bearer token and its lifetime. */
        LoginResponse: {
            /** @description The token to send as `Authorization: Bearer <token>`. */
            access_token: string;
            /**
             * @description Authentication scheme of the token. Case-insensitive.
             * @enum {string}
             */
            token_type: "bearer";
            /** @description Lifetime of the token in seconds, as a string. */
            expires_in: string;
        };
        /** @description A problem with the two members that OAuth 2.0 clients expect (RFC 6749, section 5.2). */
        LoginProblem: components["schemas"]["Problem"] & {
            /**
             * @description Short code of the error.
             * @example access_denied
             */
            error: string;
            /**
             * @description The error as text.
             * @example Invalid email or password
             */
            error_description: string;
        };
        /**
         * @description A date and time without an offset, such as `2100-01-01T00:00:00`. It is compared as UTC. Responses always contain the time. In a request, a plain date is midnight. Null means no date.
         * @example 2024-01-01T00:00:00
         */
        LocalDateTime: string | null;
        /** @description One tag and the period in which it is effective. No property is required, because a nested `$select` can omit it. */
        TagEntry: {
            /** @description Key of the tag. */
            Key?: number;
            /** @description Name of the tag. */
            Name?: string;
            EffectiveFromDate?: components["schemas"]["LocalDateTime"];
            EffectiveToDate?: components["schemas"]["LocalDateTime"];
        };
        /** @description A category and its tags. No property is required, because a nested `$select` can omit it. */
        StaffTag: {
            /** @description Key of the category. */
            CategoryKey?: number;
            /** @description Name of the category. */
            CategoryName?: string;
            /** @description Tags of this category. */
            Tags?: components["schemas"]["TagEntry"][];
        };
        /** @description A task that a person is skilled for, by day of the week. No property is required, because a nested `$select` can omit it. */
        StaffSkillset: {
            /** @description Given name of the person. */
            StaffFirstName?: string;
            /** @description Family name of the person. */
            StaffLastName?: string;
            /** @description Short name of the person. */
            StaffAbbrev?: string;
            /** @description Identifier of the person that the company assigns. */
            StaffId?: string;
            /** @description Key of the task. */
            TaskKey?: string;
            /** @description Name of the task. */
            TaskName?: string;
            /** @description Short name of the task. */
            TaskAbbrev?: string | null;
            /** @description Identifier of the task that the company assigns. */
            TaskId?: string | null;
            /** @description Whether the person may do the task on Mondays. */
            IsSkilledMon?: boolean;
            /** @description Whether the person may do the task on Tuesdays. */
            IsSkilledTue?: boolean;
            /** @description Whether the person may do the task on Wednesdays. */
            IsSkilledWed?: boolean;
            /** @description Whether the person may do the task on Thursdays. */
            IsSkilledThu?: boolean;
            /** @description Whether the person may do the task on Fridays. */
            IsSkilledFri?: boolean;
            /** @description Whether the person may do the task on Saturdays. */
            IsSkilledSat?: boolean;
            /** @description Whether the person may do the task on Sundays. */
            IsSkilledSun?: boolean;
            /** @description Frequency on Mondays, such as Weekly. */
            MonOccurrence?: string | null;
            /** @description Frequency on Tuesdays, such as Weekly. */
            TueOccurrence?: string | null;
            /** @description Frequency on Wednesdays, such as Weekly. */
            WedOccurrence?: string | null;
            /** @description Frequency on Thursdays, such as Weekly. */
            ThuOccurrence?: string | null;
            /** @description Frequency on Fridays, such as Weekly. */
            FriOccurrence?: string | null;
            /** @description Frequency on Saturdays, such as Weekly. */
            SatOccurrence?: string | null;
            /** @description Frequency on Sundays, such as Weekly. */
            SunOccurrence?: string | null;
        };
        /** @description A profile of a person. No property is required, because a nested `$select` can omit it. */
        StaffProfile: {
            /** @description Name of the profile. */
            Name?: string;
            /** @description Key of the profile. */
            ProfileKey?: string;
            /** @description Whether the person may view the profile. Defaults to true. */
            IsViewable?: boolean;
            /** @description Whether the person may be scheduled in the profile. Defaults to false. */
            IsSchedulable?: boolean;
        };
        /** @description A badge of a person. No property is required, because a nested `$select` can omit it. */
        BadgeId: {
            /** @description Number of the badge. */
            BadgeId?: string;
            /** @description Group of the badge. */
            BadgeGroup?: string | null;
        };
        /** @description A person on the staff. Without `$select`, every property is present, and a property without a value is null. With `$select`, only the selected and the expanded properties are present, so none is required. A collection is null unless it is expanded or included. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays when they are requested. */
        StaffMemberDetailDto: {
            /** @description Key of the company. */
            CompKey?: string;
            /** @description Key of the person. A plain string even where it looks like a GUID. */
            StaffKey?: string;
            /** @description Identifier that the company assigns. It must not be blank. */
            StaffId?: string;
            /** @description Identifier in the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description Email address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First additional number. */
            OtherNumber1?: string | null;
            /** @description Second additional number. */
            OtherNumber2?: string | null;
            /** @description Third additional number. */
            OtherNumber3?: string | null;
            /** @description Type of OtherNumber1. */
            OtherNumberType1?: string | null;
            /** @description Type of OtherNumber2. */
            OtherNumberType2?: string | null;
            /** @description Type of OtherNumber3. */
            OtherNumberType3?: string | null;
            /** @description How to contact the person. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It is derived from ManagerId. Requests may contain it unchanged. */
            Manager?: string | null;
            /** @description StaffId of the manager. The manager must belong to the same company and must not report to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the staff type. */
            StaffTypeKey?: string | null;
            /** @description Key of the billing type. */
            BillingTypeKey?: string | null;
            /** @description Name of the login profile. */
            UserProfile?: string | null;
            /** @description Key of the login profile. */
            UserProfileKey?: string | null;
            /** @description Name of the primary schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the primary schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the pay period group. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Average number of units worked per day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps are approved automatically. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description Time when the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description Source of the person's login. */
            SourceOfLogin?: string | null;
            /**
             * Format: date-time
             * @description Time of the last change of the person.
             */
            LastModifiedDateUtc?: string;
            /**
             * Format: date-time
             * @description Time of the last login.
             */
            UserLastLoginDateTimeUtc?: string | null;
            /** @description Tags of the person, by category. Included by `Tags`. Can be expanded. */
            Tags?: components["schemas"]["StaffTag"][] | null;
            /** @description Time clock tags of the person, by category. Included with `Tags`. */
            TTCMTags?: components["schemas"]["StaffTag"][] | null;
            /** @description Tasks that the person is skilled for. Included by `Skillset`. Can be expanded. */
            Skillset?: components["schemas"]["StaffSkillset"][] | null;
            /** @description Profiles of the person. Included by `Profiles`. Can be expanded. */
            Profiles?: components["schemas"]["StaffProfile"][] | null;
            /** @description All profiles of the company, with the person's flags or the defaults. Included by `AvailableProfiles`. */
            AvailableProfiles?: components["schemas"]["StaffProfile"][] | null;
            /** @description Badges of the person. Included by `BadgeIds` on the single read. */
            BadgeIds?: components["schemas"]["BadgeId"][] | null;
        };
        /** @description A person who no longer belongs to a tracked list (OData JSON format 4.01, section 15.3). It may be a person that the client never received. */
        RemovedStaffMember: {
            "@removed": {
                /**
                 * @description `changed`: the person no longer matches `$filter`. `deleted`: the person no longer exists.
                 * @enum {string}
                 */
                reason: "changed" | "deleted";
            };
            /** @description Key of the person. */
            StaffKey: string;
        };
        /** @description The OData envelope of a list (OData JSON format 4.01, section 13). Sent only to a client that requests it. */
        StaffMemberPage: {
            /** @description Relative URL of the metadata of the list. */
            "@odata.context"?: string;
            /** @description Number of people who match, regardless of `$top` and `$skip`. Present with `$count=true`. */
            "@odata.count"?: number;
            /** @description Relative URL of the next page. Absent on the last page. */
            "@odata.nextLink"?: string;
            /** @description Relative URL of the changes after this list. Present on the last page of a tracked list. */
            "@odata.deltaLink"?: string;
            value: (components["schemas"]["StaffMemberDetailDto"] | components["schemas"]["RemovedStaffMember"])[];
        };
        /** @description A new person. FirstName, LastName and Abbrev default to `CHANGEME`. No period may end before it starts: StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate. */
        StaffMemberCreate: {
            /** @description Identifier that the company assigns. It must not be blank. */
            StaffId: string;
            /** @description Identifier in the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description Email address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First additional number. */
            OtherNumber1?: string | null;
            /** @description Second additional number. */
            OtherNumber2?: string | null;
            /** @description Third additional number. */
            OtherNumber3?: string | null;
            /** @description Type of OtherNumber1. */
            OtherNumberType1?: string | null;
            /** @description Type of OtherNumber2. */
            OtherNumberType2?: string | null;
            /** @description Type of OtherNumber3. */
            OtherNumberType3?: string | null;
            /** @description How to contact the person. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It is derived from ManagerId. Requests may contain it unchanged. */
            Manager?: string | null;
            /** @description StaffId of the manager. The manager must belong to the same company and must not report to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the staff type. */
            StaffTypeKey?: string | null;
            /** @description Key of the billing type. */
            BillingTypeKey?: string | null;
            /** @description Name of the login profile. */
            UserProfile?: string | null;
            /** @description Key of the login profile. */
            UserProfileKey?: string | null;
            /** @description Name of the primary schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the primary schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the pay period group. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Average number of units worked per day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps are approved automatically. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description Time when the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description PIN for the time clock. It is never returned or logged, and cannot be used to filter or order. */
            TimeClockKioskPIN?: string | null;
            /** @description When true and a person of the company has this StaffId, that person is updated with the members sent. Otherwise the request is rejected with 409. */
            UpdateIfExisting?: boolean;
        };
        /** @description Changes to a person. A member that is not sent keeps its value, and null clears the property. In the result, no period may end before it starts: StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate. A stored value may always be sent back unchanged. */
        StaffMemberUpdate: {
            /** @description Identifier that the company assigns. It must not be blank. */
            StaffId?: string;
            /** @description Identifier in the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Short name for schedules. */
            Abbrev?: string;
            /** @description Given name. */
            FirstName?: string;
            /** @description Family name. */
            LastName?: string;
            /** @description Email address. */
            Email?: string | null;
            /** @description Telephone number at home. */
            HomePhone?: string | null;
            /** @description Mobile telephone number. */
            MobilePhone?: string | null;
            /** @description Pager number. */
            Pager?: string | null;
            /** @description First additional number. */
            OtherNumber1?: string | null;
            /** @description Second additional number. */
            OtherNumber2?: string | null;
            /** @description Third additional number. */
            OtherNumber3?: string | null;
            /** @description Type of OtherNumber1. */
            OtherNumberType1?: string | null;
            /** @description Type of OtherNumber2. */
            OtherNumberType2?: string | null;
            /** @description Type of OtherNumber3. */
            OtherNumberType3?: string | null;
            /** @description How to contact the person. */
            ContactInstructions?: string | null;
            /** @description First line of the address. */
            Addr1?: string | null;
            /** @description Second line of the address. */
            Addr2?: string | null;
            /** @description Town of the address. */
            City?: string | null;
            /** @description State or province of the address. */
            State?: string | null;
            /** @description Postal code of the address. */
            Zip?: string | null;
            /** @description Background colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            BgColor?: string | null;
            /** @description Text colour on schedules: 3, 4, 6 or 8 hexadecimal digits, with or without `#`. */
            TextColor?: string | null;
            /** @description Identifier in the billing system. */
            BillSysId?: string | null;
            /** @description Identifier for single sign-on. */
            SsoId?: string | null;
            /** @description Identifier in the medical record system. */
            EmrId?: string | null;
            /** @description Identifier in the resource planning system. */
            ErpId?: string | null;
            /** @description Identifier in the call system. */
            ExtCallSysId?: string | null;
            /** @description Key of the calendar feed. */
            CalSyncKey?: string | null;
            /** @description National Provider Identifier. */
            Npi?: string | null;
            /** @description Name of the manager. It is derived from ManagerId. Requests may contain it unchanged. */
            Manager?: string | null;
            /** @description StaffId of the manager. The manager must belong to the same company and must not report to this person. */
            ManagerId?: string | null;
            /** @description Class of employment. */
            StaffClassification?: string | null;
            /** @description Key of the staff type. */
            StaffTypeKey?: string | null;
            /** @description Key of the billing type. */
            BillingTypeKey?: string | null;
            /** @description Name of the login profile. */
            UserProfile?: string | null;
            /** @description Key of the login profile. */
            UserProfileKey?: string | null;
            /** @description Name of the primary schedule profile. */
            PrimaryProfile?: string | null;
            /** @description Key of the primary schedule profile. */
            PrimaryProfileKey?: string | null;
            /** @description Identifier in payroll. */
            PayrollId?: string | null;
            /** @description Name of the pay period group. */
            PayPeriodGroupName?: string | null;
            /** @description Regular hours. */
            RegHours?: number | null;
            /** @description Full-time equivalent. 1 is full time. */
            Fte?: number | null;
            /** @description Average number of units worked per day. */
            DailyUnitAverage?: number | null;
            /** @description Whether the person is active. */
            IsActive?: boolean;
            /** @description Whether swaps are approved automatically. */
            IsAutoApproveSwap?: boolean;
            /** @description Whether the person may be texted from quick links. */
            TextFromQuickLinks?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            PayrollStartDate?: components["schemas"]["LocalDateTime"];
            PayrollEndDate?: components["schemas"]["LocalDateTime"];
            TimeClockStartDate?: components["schemas"]["LocalDateTime"];
            TimeClockEndDate?: components["schemas"]["LocalDateTime"];
            /**
             * Format: date-time
             * @description Time when the person is deactivated.
             */
            DeactivationDateUtc?: string | null;
            /** @description PIN for the time clock. It is never returned or logged, and cannot be used to filter or order. */
            TimeClockKioskPIN?: string | null;
        };
        /** @description The person of a staff location. */
        LocationStaff: {
            /** @description Key of the person. */
            StaffKey: string;
            /** @description Identifier of the person that the company assigns. */
            Id: string;
            /** @description Given name. */
            FirstName: string;
            /** @description Family name. */
            LastName: string;
            /** @description E-mail address. */
            Email: string | null;
            /** @description Tags of the person, by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description A place of work. */
        Location: {
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Key of the location. */
            LocationKey: string;
            /** @description Identifier of the location that the company assigns. */
            Id: string | null;
            /** @description Name of the location. */
            Name: string;
            /** @description Address of the location. */
            Address: string | null;
            /** @description Short name of the location. */
            Abbrev: string | null;
            /** @description Notes on the location. */
            Notes: string | null;
            /** @description Time zone of the location. */
            TimeZone: string | null;
            /** @description Tags of the location, by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description A credential for a location. This contract does not define its members. */
        LocationCredential: {
            [key: string]: unknown;
        };
        /** @description A location of a person. */
        StaffLocation: {
            Staff: components["schemas"]["LocationStaff"];
            Location: components["schemas"]["Location"];
            /** @description Whether the person is credentialed at the location. */
            IsCredentialed: boolean;
            InactiveDate: components["schemas"]["LocalDateTime"];
            /** @description Credentials of the person for the location. */
            Credentials: components["schemas"]["LocationCredential"][];
            /** @description Tags of the person at this location, by category. */
            Tags: components["schemas"]["StaffTag"][];
        };
        /** @description The tag to set, identified by category and name, or by key. A category or name that is sent with a key must be that of the tag. */
        LocationTagUpdate: {
            /** @description Name of the category. */
            categoryName?: string;
            /** @description Name of the tag in that category. */
            tagName?: string;
            /** @description Key of the tag. */
            TagKey?: number;
            effectiveDate?: components["schemas"]["LocalDateTime"];
        } & ({
            categoryName: unknown;
            tagName: unknown;
        } | {
            TagKey: unknown;
        });
        /** @description The tag to add, identified by category and name, or by key. A category or name that is sent with a key must be that of the tag. */
        StaffTagCreate: {
            /** @description Name of the category. */
            category?: string;
            /** @description Name of the tag in that category. */
            name?: string;
            /** @description Key of the tag. */
            TagKey?: number;
            effectiveDate?: components["schemas"]["LocalDateTime"];
        } & ({
            category: unknown;
            name: unknown;
        } | {
            TagKey: unknown;
        });
        /** @description The days to change. A member that is not sent keeps its value. For a task that is new to the person, it defaults to false or null. */
        SkillsetUpdate: {
            /** @description Whether the person may do the task on Mondays. */
            IsSkilledMon?: boolean;
            /** @description Whether the person may do the task on Tuesdays. */
            IsSkilledTue?: boolean;
            /** @description Whether the person may do the task on Wednesdays. */
            IsSkilledWed?: boolean;
            /** @description Whether the person may do the task on Thursdays. */
            IsSkilledThu?: boolean;
            /** @description Whether the person may do the task on Fridays. */
            IsSkilledFri?: boolean;
            /** @description Whether the person may do the task on Saturdays. */
            IsSkilledSat?: boolean;
            /** @description Whether the person may do the task on Sundays. */
            IsSkilledSun?: boolean;
            /** @description Frequency on Mondays, such as Weekly. */
            MonOccurrence?: string | null;
            /** @description Frequency on Tuesdays, such as Weekly. */
            TueOccurrence?: string | null;
            /** @description Frequency on Wednesdays, such as Weekly. */
            WedOccurrence?: string | null;
            /** @description Frequency on Thursdays, such as Weekly. */
            ThuOccurrence?: string | null;
            /** @description Frequency on Fridays, such as Weekly. */
            FriOccurrence?: string | null;
            /** @description Frequency on Saturdays, such as Weekly. */
            SatOccurrence?: string | null;
            /** @description Frequency on Sundays, such as Weekly. */
            SunOccurrence?: string | null;
        };
        /** @description An empty object, the response to a successful deletion. */
        Empty: Record<string, never>;
        /** @description The flags to change. A member that is not sent keeps its value. */
        ProfileUpdate: {
            /** @description Whether the person may view the profile. Defaults to true. */
            IsViewable?: boolean;
            /** @description Whether the person may be scheduled in the profile. Defaults to false. */
            IsSchedulable?: boolean;
        };
        /** @description A tag of a pay modifier. */
        PayModifierTag: {
            /** @description Key of the category. */
            CategoryKey: number;
            /** @description Name of the category. */
            CategoryName: string;
            /** @description Key of the tag. */
            TagKey: number;
            /** @description Name of the tag. */
            TagName: string;
        };
        /** @description A change of a person's pay between two dates, for a position, a location or a task. */
        PayModifier: {
            /** @description Key of the pay modifier. */
            PayModifierKey: string;
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Key of the person. */
            StaffMemberKey: string;
            /** @description Key of the location tag. */
            LocationTagKey: number | null;
            /** @description Key of the task tag. */
            TaskTagKey: number | null;
            /** @description Identifier of the position. */
            PositionId: string | null;
            /** @description Whether this is the person's main position. */
            IsPrimaryPosition: boolean;
            StartDate: components["schemas"]["LocalDateTime"];
            EndDate: components["schemas"]["LocalDateTime"];
            /** @description Whether the history of this modifier is locked. */
            IsHistoricAccessLocked: boolean;
            /** @description Tags of the modifier. */
            PayModifierTagKeys: components["schemas"]["PayModifierTag"][];
        };
        /** @description A tag of a pay modifier, identified by its keys. */
        PayModifierTagReference: {
            /** @description Key of the category. */
            CategoryKey: number;
            /** @description Key of a tag in that category. */
            TagKey: number;
        };
        /** @description A pay modifier to create, or the members to change. A location tag or task tag is identified by category and name together. Null for both clears it. Every tag must exist in its category, and no tag may be named twice. In the result, StartDate must not be after EndDate. */
        PayModifierRequest: {
            /** @description Category of the location tag. */
            LocationTagCategory?: string | null;
            /** @description Name of the location tag. */
            LocationTagName?: string | null;
            /** @description Category of the task tag. */
            TaskTagCategory?: string | null;
            /** @description Name of the task tag. */
            TaskTagName?: string | null;
            /** @description Identifier of the position. */
            PositionId?: string | null;
            /** @description Whether this is the person's main position. */
            IsPrimaryPosition?: boolean;
            StartDate?: components["schemas"]["LocalDateTime"];
            EndDate?: components["schemas"]["LocalDateTime"];
            /** @description Whether the history of this modifier is locked. */
            IsHistoricAccessLocked?: boolean;
            /** @description Tags of the modifier. They replace all existing tags. */
            PayModifierTags?: components["schemas"]["PayModifierTagReference"][];
        };
        /** @description Credit of a request for one shift of a task, counted against a limit. */
        ShiftCredit: {
            /** @description Key of the task. */
            TaskKey: string;
            /** @description Identifier of the task that the company assigns. */
            TaskId?: string | null;
            /** @description Name of the task. */
            TaskName: string;
            /** @description Short name of the task. */
            TaskAbbreviation?: string | null;
            /** @description Key of the shift. */
            TaskShiftKey?: string | null;
            /** @description Whether the shift counts. */
            IsIncluded: boolean;
            /** @description Day of the shift. */
            DayOfTheWeek: string;
            /** @description Credit of the shift. */
            Credit: number;
        };
        /** @description The limit of one person. */
        StaffLimit: {
            /** @description Key of the person. */
            StaffKey: string;
            /** @description Identifier of the person that the company assigns. */
            StaffId: string;
            /** @description Identifier in the company's own systems. */
            StaffInternalId?: string | null;
            /** @description Given name. */
            StaffFirstName: string;
            /** @description Family name. */
            StaffLastName: string;
            /** @description Short name of the person. */
            StaffAbbreviation?: string | null;
            /** @description Maximum credit for requests. */
            StaffRequestLimit: number | null;
            /** @description Maximum total credit. */
            StaffTotalLimit: number | null;
        };
        /** @description A limit on the requests of staff. */
        RequestLimit: {
            /** @description Key of the company. */
            CompanyKey: string;
            /** @description Name of the limit. */
            Name: string;
            /** @description Key of the limit. */
            Key: string;
            StartDate: components["schemas"]["LocalDateTime"];
            EndDate: components["schemas"]["LocalDateTime"];
            /** @description Kind of limit. */
            Type: string | null;
            /** @description Length of the period after which the limit resets. */
            RecurringLength: number | null;
            /** @description Source of the credit of a request. */
            CreditSource: string | null;
            /** @description Message for a person who exceeds the limit. */
            ErrorMessage: string | null;
            /** @description Whether the limit is in force. */
            IsActive: boolean;
            /** @description Maximum number of requests on Mondays. */
            DailyTotalMaxAllowedMon: number | null;
            /** @description Maximum number of requests on Tuesdays. */
            DailyTotalMaxAllowedTue: number | null;
            /** @description Maximum number of requests on Wednesdays. */
            DailyTotalMaxAllowedWed: number | null;
            /** @description Maximum number of requests on Thursdays. */
            DailyTotalMaxAllowedThu: number | null;
            /** @description Maximum number of requests on Fridays. */
            DailyTotalMaxAllowedFri: number | null;
            /** @description Maximum number of requests on Saturdays. */
            DailyTotalMaxAllowedSat: number | null;
            /** @description Maximum number of requests on Sundays. */
            DailyTotalMaxAllowedSun: number | null;
            /** @description Credit of each shift. Null unless `ShiftsCredit` is included. */
            ShiftCredits: components["schemas"]["ShiftCredit"][] | null;
            /** @description Limit of each person. Null unless `StaffLimits` is included. */
            StaffLimits: components["schemas"]["StaffLimit"][] | null;
        };
        /** @description The manager to set, by StaffId or by key, or the instruction to clear the manager. Send exactly one member. */
        StaffManagerUpdate: {
            /** @description StaffId of the manager. */
            ManagerId?: string;
            /** @description StaffKey of the manager. */
            ManagerKey?: string;
            /**
             * @description Clears the manager.
             * @enum {boolean}
             */
            IsClearManagerId?: true;
        };
        /** @description The server responds to requests. */
        Health: {
            /** @enum {string} */
            status: "healthy";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description The process is alive. The response depends on nothing outside the process. */
        Liveness: {
            /** @enum {string} */
            status: "alive";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description State of one dependency. Other members depend on the dependency, such as a count or the reason of a failure. */
        ReadinessDependency: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unavailable";
        } & {
            [key: string]: unknown;
        };
        /** @description Readiness of the server, with the state of each dependency. */
        Readiness: {
            /**
             * @description `ready` and `degraded` (a fault that does not stop the server) are sent with 200, `unavailable` with 503.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            /** @description State of each dependency, by name. */
            dependencies: {
                [key: string]: components["schemas"]["ReadinessDependency"];
            };
        };
        /** @description Metrics of one route since the process started. */
        EndpointMetrics: {
            /** @description Requests to the route. */
            count: number;
            /** @description Mean time from the arrival of a request to the end of its response, in seconds. */
            average_time: number;
            /** @description Requests with a status of 400 or above. */
            error_count: number;
            error_rate: number;
            /** @description Number of responses by status code. */
            status_codes: {
                [key: string]: number;
            };
        };
        /** @description Metrics since the process started. */
        Metrics: {
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            total_requests: number;
            /** @description Requests with a status of 400 or above. */
            total_errors: number;
            /** @description total_errors divided by total_requests. 0 without requests. */
            error_rate: number;
            /** @description Sum of the durations of all requests, in seconds. */
            total_time: number;
            /** @description Cumulative histogram of request durations. The bounds ascend. Requests above the last bound count in total_requests only. */
            duration_buckets: {
                /** @description Upper bound in seconds, inclusive. */
                le: number;
                /** @description Requests with a duration of at most `le`. */
                count: number;
            }[];
            /** @description Metrics of each route, by method and path template, such as `GET /health`. */
            endpoints: {
                [key: string]: components["schemas"]["EndpointMetrics"];
            };
        };
        /** @description An OpenAPI document. The OpenAPI specification defines its other members. */
        OpenapiDocument: {
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Any other error, with one of the statuses 406, 408, 414, 431, 501 and 503. */
        UnexpectedProblem: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:uri_too_long",
                 *       "title": "The address is too long",
                 *       "status": 414,
                 *       "detail": "Keep the address within 16384 bytes.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "uri_too_long",
                 *       "kind": "UriTooLongError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Validation failed: a parameter is missing, malformed or not declared, or the body does not match its schema. `errors` lists every fault. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:validation_failed",
                 *       "title": "Request validation failed",
                 *       "status": 400,
                 *       "detail": "Correct the parts that errors lists and send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "validation_failed",
                 *       "kind": "ValidationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "errors": [
                 *         {
                 *           "parameter": "companyKey",
                 *           "detail": "must have required property 'companyKey'"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credentials are invalid. The response is identical for an unknown account and a wrong password. It has the members that OAuth 2.0 clients expect in addition to those of a problem. */
        LoginFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:login_failed",
                 *       "title": "The login failed",
                 *       "status": 401,
                 *       "detail": "Check the email and the password and try again.",
                 *       "instance": "/v2/login",
                 *       "code": "login_failed",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "error": "access_denied",
                 *       "error_description": "Invalid email or password"
                 *     }
                 */
                "application/problem+json": components["schemas"]["LoginProblem"];
            };
        };
        /** @description The request body is larger than the server accepts. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:body_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "detail": "Send a smaller body.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "body_too_large",
                 *       "kind": "PayloadTooLargeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The operation does not declare the Content-Type, or the content coding is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:media_type_unsupported",
                 *       "title": "The media type is not supported",
                 *       "status": 415,
                 *       "detail": "Send the body with a Content-Type that the operation declares.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "media_type_unsupported",
                 *       "kind": "MediaTypeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The quota is used up. Rejected requests do not count, so a request after `Retry-After` succeeds. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3).
                 * @example 12
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "limit_exceeded",
                 *       "kind": "RateLimitError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Server error. The response contains no internal details. The log contains them under the same request id. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:internal_error",
                 *       "title": "The server failed",
                 *       "status": 500,
                 *       "detail": "Try again later, and quote request_id if it lasts.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "internal_error",
                 *       "kind": "InternalError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server is starting, stopping or overloaded, or one of its dependencies is unavailable. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:unavailable",
                 *       "title": "The service is not available now",
                 *       "status": 503,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "unavailable",
                 *       "kind": "UnavailableError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Credentials are missing, invalid, expired or revoked, or sent in more than one way. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:token_expired",
                 *       "title": "The bearer token has expired",
                 *       "status": 401,
                 *       "detail": "Log in again and send the new token.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "token_expired",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is authenticated but not allowed to do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:scope_missing",
                 *       "title": "A scope is missing",
                 *       "status": 403,
                 *       "detail": "This operation needs the scope admin. Use an account that has it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "scope_missing",
                 *       "kind": "AuthorizationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The changes that the token asks for are no longer stored (OData protocol 4.01, section 11.3.3). Read the list again with `Prefer: odata.track-changes`. */
        DeltaTokenGone: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:changes_gone",
                 *       "title": "The changes are no longer stored",
                 *       "status": 410,
                 *       "detail": "$deltatoken: its changes are no longer stored. Read the list again with Prefer: odata.track-changes.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "changes_gone",
                 *       "kind": "GoneError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request uses a valid part of OData that is not supported, such as `$search`. */
        NotImplemented: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:odata_unsupported",
                 *       "title": "That part of OData is not supported",
                 *       "status": 501,
                 *       "detail": "$search is not supported. Use $filter with contains instead.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "odata_unsupported",
                 *       "kind": "NotImplementedError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The change conflicts with stored data. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:conflict",
                 *       "title": "The request conflicts with what is stored",
                 *       "status": 409,
                 *       "detail": "A person with this StaffId exists already. Choose another StaffId, or set UpdateIfExisting to true.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "conflict",
                 *       "kind": "ConflictError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description If-Match does not name the stored version (RFC 9110, section 13.1.1). Nothing was changed. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:precondition_failed",
                 *       "title": "The resource has changed meanwhile",
                 *       "status": 412,
                 *       "detail": "The person has changed since you read it. Read it again, and repeat the change with the new ETag.",
                 *       "instance": "/v2/staffmember/6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                 *       "code": "precondition_failed",
                 *       "kind": "PreconditionError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy of the person is current (RFC 9110, section 15.4.5). Sent when If-None-Match names the current version. */
        PersonNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The resource does not exist, or the caller may not see it. The two responses are identical. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:not_found",
                 *       "title": "The resource does not exist",
                 *       "status": 404,
                 *       "detail": "No resource exists at this path. Check the keys in it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "not_found",
                 *       "kind": "NotFoundError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy is current (RFC 9110, section 15.4.5). Sent when If-None-Match names the current version. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description Key of the company whose staff to list. A company other than that of the account returns 403.
         * @example c0ffee00-1234-4abc-9def-0123456789ab
         */
        CompanyKey: string;
        /**
         * @description Collections to include, separated by commas. It has the same effect as `$expand`, and both can be combined. A collection that neither names is null. The value must not be empty.
         * @example [
         *       "Tags",
         *       "Skillset"
         *     ]
         */
        ListIncludes: ("Skillset" | "Tags" | "Profiles" | "AvailableProfiles")[];
        /**
         * @description Properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded properties are present in the response. Names are case-sensitive. An unknown name returns 400.
         * @example StaffKey,FirstName,LastName
         */
        Select: string;
        /**
         * @description Returns only the people that match the condition (OData URL conventions 4.01, section 5.1.1). The condition supports operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, and so does an unquoted GUID. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown name returns 400. Names of operators and functions are case-insensitive. A parameter alias such as `@name` is replaced by the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`. An alias without a value and an unused alias return 400. Data that the account may not see is empty when the condition is evaluated. A numeric result outside the range of its type is null, or INF for Edm.Double.
         * @example LastName eq 'O''Neil' and IsActive eq true
         */
        Filter: string;
        /**
         * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null sorts first in ascending order. Ties are ordered by StaffKey.
         * @example LastName,FirstName desc
         */
        Orderby: string;
        /**
         * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). TTCMTags is returned with Tags. Options of a collection are written in parentheses, separated by semicolons. The option `$count` returns 501. Collections in `includes` are returned in addition.
         * @example Tags,Skillset
         */
        Expand: string;
        /**
         * @description Maximum number of people to return (OData URL conventions 4.01, section 5.1.6). Without it, the whole company is returned.
         * @example 50
         */
        Top: number;
        /**
         * @description Number of people to skip from the start of the ordered list (OData URL conventions 4.01, section 5.1.6).
         * @example 100
         */
        Skip: number;
        /**
         * @description When true, the response is an OData envelope with the number of people who match, regardless of `$top` and `$skip` (OData URL conventions 4.01, section 5.1.6). When false or absent, the response is a bare array.
         * @example true
         */
        Count: boolean;
        /**
         * @description Position of the next page, taken from `@odata.nextLink` (OData URL conventions 4.01, section 5.1.7). It is valid only for the query that returned it.
         * @example eyJhZnRlciI6IlMtMDA0MiJ9
         */
        Skiptoken: string;
        /**
         * @description Position in the changes of a tracked list, taken from `@odata.deltaLink` (OData protocol 4.01, section 11.3). The response contains what has changed since that response, in pages. It is valid only for the query that returned it, and for accounts of the same company with the same rights. A token whose changes are no longer stored returns 410.
         * @example eyJhZnRlciI6IlMtMDA0MiJ9
         */
        Deltatoken: string;
        /**
         * @description Free-text search (OData URL conventions 4.01, section 5.1.7). Search is not supported: a malformed value returns 400 and a well-formed value 501. Use `$filter` with contains instead.
         * @example cardiology
         */
        Search: string;
        /**
         * @description Accepted for compatibility with existing clients. It has no effect: dates are always written as `2100-01-01T00:00:00`.
         * @example yyyy-MM-dd
         */
        DateFormat: string;
        /**
         * @description Returns only people whose LastModifiedDateUtc is at or after this time. A time without an offset is UTC. A plain date is midnight. The single read returns the person regardless of this parameter. To follow all changes of a company, start with a date in the past. Then send the newest LastModifiedDateUtc of all lists received so far. No change is missed. A person who changes while a list or its pages are read is part of the next list.
         * @example 2024-01-01T00:00:00Z
         */
        SinceModifiedTimestamp: string;
        /**
         * @description `maxpagesize=<n>`, or `odata.maxpagesize=<n>`, limits the number of people per page (OData protocol 4.01, section 8.2.8.5). It applies to the OData envelope, where `@odata.nextLink` links to the next page. A bare array is never paged. `odata.track-changes`, or `track-changes`, adds `@odata.deltaLink` to the last page of an envelope (section 8.2.8.6), and StaffKey to every person. It is not applied to a query with `$top`, `$skip`, `$orderby`, `$count`, `sinceModifiedTimestamp` or `now()`. `Preference-Applied` lists the applied preferences. Other preferences are ignored.
         * @example maxpagesize=100
         */
        Prefer: string;
        /**
         * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
         * @example "7"
         */
        IfMatch: string;
        /**
         * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
         * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
         */
        StaffKey: string;
        /**
         * @description Collections to include, separated by commas. It has the same effect as `$expand`, and both can be combined. A collection that neither names is null. The value must not be empty.
         * @example [
         *       "Tags",
         *       "BadgeIds"
         *     ]
         */
        ReadIncludes: ("Skillset" | "Tags" | "Profiles" | "AvailableProfiles" | "BadgeIds")[];
        /**
         * @description Entity tags of the client's copies, or `*` (RFC 9110, section 13.1.2). When one of them is the current version, the response is 304 without a body.
         * @example "7"
         */
        IfNoneMatch: string;
        /**
         * @description Key of the location. Any string is accepted. An unknown key returns 404, never 400.
         * @example main-campus
         */
        LocationKey: string;
        /**
         * @description Key of the task. Any string is accepted. An unknown key returns 404, never 400.
         * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
         */
        TaskKey: string;
        /**
         * @description Key of the profile. Any string is accepted. An unknown key returns 404, never 400.
         * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
         */
        ProfileKey: string;
        /**
         * @description Key of the pay modifier. Any string is accepted. An unknown key returns 404, never 400.
         * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
         */
        PayModifierKey: string;
        /**
         * @description Collections to include, separated by commas. `ShiftsCredit` fills ShiftCredits and `StaffLimits` fills StaffLimits. A collection that is not included is null. The value must not be empty.
         * @example [
         *       "StaffLimits"
         *     ]
         */
        RequestLimitIncludes: ("ShiftsCredit" | "StaffLimits")[];
        /**
         * @description File name of an asset of the page. Any other name returns 404.
         * @example page.css
         */
        Asset: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of the request. The log line and `request_id` of a problem contain the same value. A well-formed `X-Request-Id` of the client is reused.
         * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
         */
        RequestId: string;
        /**
         * @description Remaining quota of each policy that applies (draft-ietf-httpapi-ratelimit-headers). `r` is the number of remaining requests. `t` is the number of seconds until one more request is available. A caller with a plan sees only the policy that is closest to its limit. Absent when limits are off and while the count is unknown.
         * @example "default";r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The policies that apply (draft-ietf-httpapi-ratelimit-headers). Each allows `q` requests in any `w` seconds. `default` covers all routes; in its place, a plan has one policy for each of its limits, such as `gold-day`. `endpoint` applies in addition where an endpoint has a limit of its own. `auxiliary` applies alone to pages, metrics and preflights, which do not use a client's quota. Absent when `RateLimit` is absent.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3). Absent when the time is unknown.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description Authentication scheme to use (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description OData version of the envelope (OData protocol 4.01, section 8.1.5). Sent only with the envelope.
         * @example 4.01
         */
        ODataVersion: string;
        /**
         * @description Preferences of the Prefer header that were applied (RFC 7240, section 3). Sent only with the OData envelope.
         * @example maxpagesize=100, odata.track-changes
         */
        PreferenceApplied: string;
        /**
         * @description Version of the resource, as an entity tag (RFC 9110, section 8.8.3). It changes with every change of the resource. Send it back in If-Match or If-None-Match.
         * @example "7"
         */
        ETag: string;
        /**
         * @description Path of the created person (RFC 9110, section 10.2.2).
         * @example /v2/staffmember/6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
         */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "scheduler@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["LoginRequest"];
                /**
                 * @example {
                 *       "email": "scheduler@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description The credentials are valid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "2b7f0d9c5e1a4836",
                     *       "token_type": "bearer",
                     *       "expires_in": "3600"
                     *     }
                     */
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["LoginFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffMembers: {
        parameters: {
            query: {
                /**
                 * @description Key of the company whose staff to list. A company other than that of the account returns 403.
                 * @example c0ffee00-1234-4abc-9def-0123456789ab
                 */
                companyKey: components["parameters"]["CompanyKey"];
                /**
                 * @description Collections to include, separated by commas. It has the same effect as `$expand`, and both can be combined. A collection that neither names is null. The value must not be empty.
                 * @example [
                 *       "Tags",
                 *       "Skillset"
                 *     ]
                 */
                includes?: components["parameters"]["ListIncludes"];
                /**
                 * @description Properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded properties are present in the response. Names are case-sensitive. An unknown name returns 400.
                 * @example StaffKey,FirstName,LastName
                 */
                $select?: components["parameters"]["Select"];
                /**
                 * @description Returns only the people that match the condition (OData URL conventions 4.01, section 5.1.1). The condition supports operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, and so does an unquoted GUID. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown name returns 400. Names of operators and functions are case-insensitive. A parameter alias such as `@name` is replaced by the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`. An alias without a value and an unused alias return 400. Data that the account may not see is empty when the condition is evaluated. A numeric result outside the range of its type is null, or INF for Edm.Double.
                 * @example LastName eq 'O''Neil' and IsActive eq true
                 */
                $filter?: components["parameters"]["Filter"];
                /**
                 * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null sorts first in ascending order. Ties are ordered by StaffKey.
                 * @example LastName,FirstName desc
                 */
                $orderby?: components["parameters"]["Orderby"];
                /**
                 * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). TTCMTags is returned with Tags. Options of a collection are written in parentheses, separated by semicolons. The option `$count` returns 501. Collections in `includes` are returned in addition.
                 * @example Tags,Skillset
                 */
                $expand?: components["parameters"]["Expand"];
                /**
                 * @description Maximum number of people to return (OData URL conventions 4.01, section 5.1.6). Without it, the whole company is returned.
                 * @example 50
                 */
                $top?: components["parameters"]["Top"];
                /**
                 * @description Number of people to skip from the start of the ordered list (OData URL conventions 4.01, section 5.1.6).
                 * @example 100
                 */
                $skip?: components["parameters"]["Skip"];
                /**
                 * @description When true, the response is an OData envelope with the number of people who match, regardless of `$top` and `$skip` (OData URL conventions 4.01, section 5.1.6). When false or absent, the response is a bare array.
                 * @example true
                 */
                $count?: components["parameters"]["Count"];
                /**
                 * @description Position of the next page, taken from `@odata.nextLink` (OData URL conventions 4.01, section 5.1.7). It is valid only for the query that returned it.
                 * @example eyJhZnRlciI6IlMtMDA0MiJ9
                 */
                $skiptoken?: components["parameters"]["Skiptoken"];
                /**
                 * @description Position in the changes of a tracked list, taken from `@odata.deltaLink` (OData protocol 4.01, section 11.3). The response contains what has changed since that response, in pages. It is valid only for the query that returned it, and for accounts of the same company with the same rights. A token whose changes are no longer stored returns 410.
                 * @example eyJhZnRlciI6IlMtMDA0MiJ9
                 */
                $deltatoken?: components["parameters"]["Deltatoken"];
                /**
                 * @description Free-text search (OData URL conventions 4.01, section 5.1.7). Search is not supported: a malformed value returns 400 and a well-formed value 501. Use `$filter` with contains instead.
                 * @example cardiology
                 */
                $search?: components["parameters"]["Search"];
                /**
                 * @description Accepted for compatibility with existing clients. It has no effect: dates are always written as `2100-01-01T00:00:00`.
                 * @example yyyy-MM-dd
                 */
                dateFormat?: components["parameters"]["DateFormat"];
                /**
                 * @description Returns only people whose LastModifiedDateUtc is at or after this time. A time without an offset is UTC. A plain date is midnight. The single read returns the person regardless of this parameter. To follow all changes of a company, start with a date in the past. Then send the newest LastModifiedDateUtc of all lists received so far. No change is missed. A person who changes while a list or its pages are read is part of the next list.
                 * @example 2024-01-01T00:00:00Z
                 */
                sinceModifiedTimestamp?: components["parameters"]["SinceModifiedTimestamp"];
            };
            header?: {
                /**
                 * @description `maxpagesize=<n>`, or `odata.maxpagesize=<n>`, limits the number of people per page (OData protocol 4.01, section 8.2.8.5). It applies to the OData envelope, where `@odata.nextLink` links to the next page. A bare array is never paged. `odata.track-changes`, or `track-changes`, adds `@odata.deltaLink` to the last page of an envelope (section 8.2.8.6), and StaffKey to every person. It is not applied to a query with `$top`, `$skip`, `$orderby`, `$count`, `sinceModifiedTimestamp` or `now()`. `Preference-Applied` lists the applied preferences. Other preferences are ignored.
                 * @example maxpagesize=100
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people who match. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "OData-Version": components["headers"]["ODataVersion"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "StaffId": "S-0042",
                     *         "Abbrev": "MON",
                     *         "FirstName": "Máire",
                     *         "LastName": "O'Neil",
                     *         "Email": "maire.oneil@example.org",
                     *         "Npi": null,
                     *         "Fte": 0.8,
                     *         "IsActive": true,
                     *         "StartDate": "2024-01-01T00:00:00",
                     *         "EndDate": "2100-01-01T00:00:00",
                     *         "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *         "Tags": [
                     *           {
                     *             "CategoryKey": 3,
                     *             "CategoryName": "Specialty",
                     *             "Tags": [
                     *               {
                     *                 "Key": 31,
                     *                 "Name": "Cardiology",
                     *                 "EffectiveFromDate": "2024-01-01T00:00:00",
                     *                 "EffectiveToDate": "2100-01-01T00:00:00"
                     *               }
                     *             ]
                     *           }
                     *         ],
                     *         "TTCMTags": [],
                     *         "Skillset": null,
                     *         "Profiles": null,
                     *         "AvailableProfiles": null,
                     *         "BadgeIds": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["DeltaTokenGone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createStaffMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "StaffId": "S-0042",
                 *       "FirstName": "Máire",
                 *       "LastName": "O'Neil",
                 *       "Abbrev": "MON",
                 *       "Email": "maire.oneil@example.org",
                 *       "Fte": 0.8,
                 *       "StartDate": "2024-01-01T00:00:00",
                 *       "UpdateIfExisting": true
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberCreate"];
            };
        };
        responses: {
            /** @description The existing person with this StaffId was updated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            /** @description The person was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getStaffMember: {
        parameters: {
            query?: {
                /**
                 * @description Collections to include, separated by commas. It has the same effect as `$expand`, and both can be combined. A collection that neither names is null. The value must not be empty.
                 * @example [
                 *       "Tags",
                 *       "BadgeIds"
                 *     ]
                 */
                includes?: components["parameters"]["ReadIncludes"];
                /**
                 * @description Properties to return, separated by commas (OData URL conventions 4.01, section 5.1.4). Only these and the expanded properties are present in the response. Names are case-sensitive. An unknown name returns 400.
                 * @example StaffKey,FirstName,LastName
                 */
                $select?: components["parameters"]["Select"];
                /**
                 * @description Returns only the people that match the condition (OData URL conventions 4.01, section 5.1.1). The condition supports operators, functions, and the lambda operators any and all over Tags, Skillset and Profiles. Keys are strings: `StaffKey eq '<key>'` always works, and so does an unquoted GUID. A quote within a string is doubled. Names of properties are case-sensitive, and an unknown name returns 400. Names of operators and functions are case-insensitive. A parameter alias such as `@name` is replaced by the value of the query parameter of that name (section 5.3), here and in `$orderby` and `$expand`. An alias without a value and an unused alias return 400. Data that the account may not see is empty when the condition is evaluated. A numeric result outside the range of its type is null, or INF for Edm.Double.
                 * @example LastName eq 'O''Neil' and IsActive eq true
                 */
                $filter?: components["parameters"]["Filter"];
                /**
                 * @description Properties to order by, separated by commas, each with `asc` or `desc` (OData URL conventions 4.01, section 5.1.5). Null sorts first in ascending order. Ties are ordered by StaffKey.
                 * @example LastName,FirstName desc
                 */
                $orderby?: components["parameters"]["Orderby"];
                /**
                 * @description Collections to return with each person, separated by commas: Tags, Skillset, Profiles (OData URL conventions 4.01, section 5.1.3). TTCMTags is returned with Tags. Options of a collection are written in parentheses, separated by semicolons. The option `$count` returns 501. Collections in `includes` are returned in addition.
                 * @example Tags,Skillset
                 */
                $expand?: components["parameters"]["Expand"];
                /**
                 * @description Accepted for compatibility with existing clients. It has no effect: dates are always written as `2100-01-01T00:00:00`.
                 * @example yyyy-MM-dd
                 */
                dateFormat?: components["parameters"]["DateFormat"];
                /**
                 * @description Returns only people whose LastModifiedDateUtc is at or after this time. A time without an offset is UTC. A plain date is midnight. The single read returns the person regardless of this parameter. To follow all changes of a company, start with a date in the past. Then send the newest LastModifiedDateUtc of all lists received so far. No change is missed. A person who changes while a list or its pages are read is part of the next list.
                 * @example 2024-01-01T00:00:00Z
                 */
                sinceModifiedTimestamp?: components["parameters"]["SinceModifiedTimestamp"];
            };
            header?: {
                /**
                 * @description Entity tags of the client's copies, or `*` (RFC 9110, section 13.1.2). When one of them is the current version, the response is 304 without a body.
                 * @example "7"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": [
                     *         {
                     *           "CategoryKey": 3,
                     *           "CategoryName": "Specialty",
                     *           "Tags": [
                     *             {
                     *               "Key": 31,
                     *               "Name": "Cardiology",
                     *               "EffectiveFromDate": "2024-01-01T00:00:00",
                     *               "EffectiveToDate": "2100-01-01T00:00:00"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "TTCMTags": [],
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            304: components["responses"]["PersonNotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    updateStaffMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Fte": 0.8,
                 *       "MobilePhone": null
                 *     }
                 */
                "application/json": components["schemas"]["StaffMemberUpdate"];
            };
        };
        responses: {
            /** @description The updated person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffLocations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The locations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "Staff": {
                     *           "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *           "Id": "S-0042",
                     *           "FirstName": "Máire",
                     *           "LastName": "O'Neil",
                     *           "Email": "maire.oneil@example.org",
                     *           "Tags": []
                     *         },
                     *         "Location": {
                     *           "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *           "LocationKey": "main-campus",
                     *           "Id": "L-01",
                     *           "Name": "Main Campus",
                     *           "Address": "1 Hospital Road",
                     *           "Abbrev": "MAIN",
                     *           "Notes": null,
                     *           "TimeZone": "America/New_York",
                     *           "Tags": []
                     *         },
                     *         "IsCredentialed": true,
                     *         "InactiveDate": null,
                     *         "Credentials": [],
                     *         "Tags": [
                     *           {
                     *             "CategoryKey": 3,
                     *             "CategoryName": "Specialty",
                     *             "Tags": [
                     *               {
                     *                 "Key": 31,
                     *                 "Name": "Cardiology",
                     *                 "EffectiveFromDate": "2024-01-01T00:00:00",
                     *                 "EffectiveToDate": "2100-01-01T00:00:00"
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffLocation"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    addStaffLocationTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the location. Any string is accepted. An unknown key returns 404, never 400.
                 * @example main-campus
                 */
                location_key: components["parameters"]["LocationKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "categoryName": "Specialty",
                 *       "tagName": "Cardiology",
                 *       "effectiveDate": "2024-01-01T00:00:00"
                 *     }
                 */
                "application/json": components["schemas"]["LocationTagUpdate"];
            };
        };
        responses: {
            /** @description The updated location. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Staff": {
                     *         "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "Id": "S-0042",
                     *         "FirstName": "Máire",
                     *         "LastName": "O'Neil",
                     *         "Email": "maire.oneil@example.org",
                     *         "Tags": []
                     *       },
                     *       "Location": {
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "LocationKey": "main-campus",
                     *         "Id": "L-01",
                     *         "Name": "Main Campus",
                     *         "Address": "1 Hospital Road",
                     *         "Abbrev": "MAIN",
                     *         "Notes": null,
                     *         "TimeZone": "America/New_York",
                     *         "Tags": []
                     *       },
                     *       "IsCredentialed": true,
                     *       "InactiveDate": null,
                     *       "Credentials": [],
                     *       "Tags": [
                     *         {
                     *           "CategoryKey": 3,
                     *           "CategoryName": "Specialty",
                     *           "Tags": [
                     *             {
                     *               "Key": 31,
                     *               "Name": "Cardiology",
                     *               "EffectiveFromDate": "2024-01-01T00:00:00",
                     *               "EffectiveToDate": "2100-01-01T00:00:00"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StaffLocation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    addStaffTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "category": "Specialty",
                 *       "name": "Cardiology",
                 *       "effectiveDate": "2024-01-01T00:00:00"
                 *     }
                 */
                "application/json": components["schemas"]["StaffTagCreate"];
            };
        };
        responses: {
            /** @description The category with the tag. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CategoryKey": 3,
                     *       "CategoryName": "Specialty",
                     *       "Tags": [
                     *         {
                     *           "Key": 31,
                     *           "Name": "Cardiology",
                     *           "EffectiveFromDate": "2024-01-01T00:00:00",
                     *           "EffectiveToDate": "2100-01-01T00:00:00"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StaffTag"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffSkillset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted. An unknown key returns 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "IsSkilledMon": true,
                 *       "MonOccurrence": "Weekly",
                 *       "IsSkilledSat": false
                 *     }
                 */
                "application/json": components["schemas"]["SkillsetUpdate"];
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "StaffFirstName": "Máire",
                     *       "StaffLastName": "O'Neil",
                     *       "StaffAbbrev": "MON",
                     *       "StaffId": "S-0042",
                     *       "TaskKey": "b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43",
                     *       "TaskName": "On call",
                     *       "TaskAbbrev": "OC",
                     *       "TaskId": "T-07",
                     *       "IsSkilledMon": true,
                     *       "IsSkilledTue": true,
                     *       "IsSkilledWed": true,
                     *       "IsSkilledThu": true,
                     *       "IsSkilledFri": true,
                     *       "IsSkilledSat": false,
                     *       "IsSkilledSun": false,
                     *       "MonOccurrence": "Weekly",
                     *       "TueOccurrence": "Weekly",
                     *       "WedOccurrence": "Weekly",
                     *       "ThuOccurrence": "Weekly",
                     *       "FriOccurrence": "Weekly",
                     *       "SatOccurrence": null,
                     *       "SunOccurrence": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffSkillset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    removeStaffSkillset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the task. Any string is accepted. An unknown key returns 404, never 400.
                 * @example b3c9d2a1-77e4-4c1f-8f5e-0a9d6e2c1b43
                 */
                task_key: components["parameters"]["TaskKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task was removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listStaffProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "Name": "Attending",
                     *         "ProfileKey": "9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62",
                     *         "IsViewable": true,
                     *         "IsSchedulable": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StaffProfile"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffProfile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the profile. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62
                 */
                profile_key: components["parameters"]["ProfileKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "IsViewable": true,
                 *       "IsSchedulable": false
                 *     }
                 */
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Name": "Attending",
                     *       "ProfileKey": "9a7e5c31-2f46-4d8b-b0c7-5e1f3a9d8c62",
                     *       "IsViewable": true,
                     *       "IsSchedulable": false
                     *     }
                     */
                    "application/json": components["schemas"]["StaffProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listPayModifiers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pay modifiers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *         "LocationTagKey": 12,
                     *         "TaskTagKey": null,
                     *         "PositionId": "P-100",
                     *         "IsPrimaryPosition": true,
                     *         "StartDate": "2024-01-01T00:00:00",
                     *         "EndDate": "2024-12-31T00:00:00",
                     *         "PayModifierTagKeys": [
                     *           {
                     *             "CategoryKey": 5,
                     *             "CategoryName": "Pay grade",
                     *             "TagKey": 51,
                     *             "TagName": "Grade 1"
                     *           }
                     *         ],
                     *         "IsHistoricAccessLocked": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PayModifier"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createPayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "LocationTagCategory": "Region",
                 *       "LocationTagName": "North",
                 *       "PositionId": "P-100",
                 *       "IsPrimaryPosition": true,
                 *       "StartDate": "2024-01-01T00:00:00",
                 *       "EndDate": "2024-12-31T00:00:00",
                 *       "PayModifierTags": [
                 *         {
                 *           "CategoryKey": 5,
                 *           "TagKey": 51
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PayModifierRequest"];
            };
        };
        responses: {
            /** @description The pay modifier was created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *       "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "LocationTagKey": 12,
                     *       "TaskTagKey": null,
                     *       "PositionId": "P-100",
                     *       "IsPrimaryPosition": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2024-12-31T00:00:00",
                     *       "PayModifierTagKeys": [
                     *         {
                     *           "CategoryKey": 5,
                     *           "CategoryName": "Pay grade",
                     *           "TagKey": 51,
                     *           "TagName": "Grade 1"
                     *         }
                     *       ],
                     *       "IsHistoricAccessLocked": false
                     *     }
                     */
                    "application/json": components["schemas"]["PayModifier"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    updatePayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "EndDate": "2024-12-31T00:00:00",
                 *       "PayModifierTags": [
                 *         {
                 *           "CategoryKey": 5,
                 *           "TagKey": 51
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PayModifierRequest"];
            };
        };
        responses: {
            /** @description The updated pay modifier. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PayModifierKey": "41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21",
                     *       "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffMemberKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "LocationTagKey": 12,
                     *       "TaskTagKey": null,
                     *       "PositionId": "P-100",
                     *       "IsPrimaryPosition": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2024-12-31T00:00:00",
                     *       "PayModifierTagKeys": [
                     *         {
                     *           "CategoryKey": 5,
                     *           "CategoryName": "Pay grade",
                     *           "TagKey": 51,
                     *           "TagName": "Grade 1"
                     *         }
                     *       ],
                     *       "IsHistoricAccessLocked": false
                     *     }
                     */
                    "application/json": components["schemas"]["PayModifier"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    deletePayModifier: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
                /**
                 * @description Key of the pay modifier. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 41d8b7f6-0c3e-4a95-8e2d-7f6a5b4c3d21
                 */
                pay_modifier_key: components["parameters"]["PayModifierKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pay modifier was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["Empty"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listBadgeIds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The badges. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "BadgeId": "100042",
                     *         "BadgeGroup": "Main Campus"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["BadgeId"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listRequestLimits: {
        parameters: {
            query?: {
                /**
                 * @description Collections to include, separated by commas. `ShiftsCredit` fills ShiftCredits and `StaffLimits` fills StaffLimits. A collection that is not included is null. The value must not be empty.
                 * @example [
                 *       "StaffLimits"
                 *     ]
                 */
                includes?: components["parameters"]["RequestLimitIncludes"];
            };
            header?: never;
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "CompanyKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *         "Name": "Summer leave",
                     *         "Key": "77a1c3d5-2b4e-4f60-9182-a3b4c5d6e7f8",
                     *         "StartDate": "2024-06-01T00:00:00",
                     *         "EndDate": "2024-08-31T00:00:00",
                     *         "Type": "Vacation",
                     *         "RecurringLength": 12,
                     *         "CreditSource": "Task",
                     *         "ErrorMessage": "No more leave can be requested for this day.",
                     *         "IsActive": true,
                     *         "DailyTotalMaxAllowedMon": 3,
                     *         "DailyTotalMaxAllowedTue": 3,
                     *         "DailyTotalMaxAllowedWed": 3,
                     *         "DailyTotalMaxAllowedThu": 3,
                     *         "DailyTotalMaxAllowedFri": 3,
                     *         "DailyTotalMaxAllowedSat": null,
                     *         "DailyTotalMaxAllowedSun": null,
                     *         "ShiftCredits": null,
                     *         "StaffLimits": [
                     *           {
                     *             "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *             "StaffId": "S-0042",
                     *             "StaffInternalId": null,
                     *             "StaffFirstName": "Máire",
                     *             "StaffLastName": "O'Neil",
                     *             "StaffAbbreviation": "MON",
                     *             "StaffRequestLimit": 10,
                     *             "StaffTotalLimit": 15
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RequestLimit"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    setStaffManager: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Entity tags of the person, from the ETag of an earlier response, or `*` (RFC 9110, section 13.1.1). The change is made only when one of them is the current version. Otherwise the response is 412 and nothing is changed. Without this header, the change is made regardless of the version.
                 * @example "7"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Key of the person, StaffKey in responses. Any string is accepted. An unknown key returns 404, never 400.
                 * @example 6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a
                 */
                staff_key: components["parameters"]["StaffKey"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ManagerId": "S-0007"
                 *     }
                 */
                "application/json": components["schemas"]["StaffManagerUpdate"];
            };
        };
        responses: {
            /** @description The updated person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "CompKey": "c0ffee00-1234-4abc-9def-0123456789ab",
                     *       "StaffKey": "6f1c2f0e-5d0b-4b57-9a0e-2b8c1d3e4f5a",
                     *       "StaffId": "S-0042",
                     *       "Abbrev": "MON",
                     *       "FirstName": "Máire",
                     *       "LastName": "O'Neil",
                     *       "Email": "maire.oneil@example.org",
                     *       "Npi": null,
                     *       "Fte": 0.8,
                     *       "IsActive": true,
                     *       "StartDate": "2024-01-01T00:00:00",
                     *       "EndDate": "2100-01-01T00:00:00",
                     *       "LastModifiedDateUtc": "2026-11-21T09:30:00Z",
                     *       "Manager": "Aoife Byrne",
                     *       "ManagerId": "S-0007",
                     *       "Tags": null,
                     *       "TTCMTags": null,
                     *       "Skillset": null,
                     *       "Profiles": null,
                     *       "AvailableProfiles": null,
                     *       "BadgeIds": null
                     *     }
                     */
                    "application/json": components["schemas"]["StaffMemberDetailDto"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server responds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "alive",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server can serve requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "ready"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            /** @description The server cannot serve requests. The body is the readiness report. It is a problem only when an invalid key was sent and cannot be counted. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unavailable",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "unavailable"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of routes in the JSON form, the busiest first. All routes when absent. The Prometheus form always contains all routes.
                 * @example 5
                 */
                routes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics since the process started. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP process_uptime_seconds Seconds since the process started.
                     *     # TYPE process_uptime_seconds gauge
                     *     process_uptime_seconds 3600.5
                     */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "uptime_seconds": 3600.5,
                     *       "total_requests": 200,
                     *       "total_errors": 10,
                     *       "error_rate": 0.05,
                     *       "total_time": 0.08,
                     *       "duration_buckets": [
                     *         {
                     *           "le": 0.0005,
                     *           "count": 180
                     *         },
                     *         {
                     *           "le": 0.001,
                     *           "count": 200
                     *         }
                     *       ],
                     *       "endpoints": {
                     *         "GET /health": {
                     *           "count": 200,
                     *           "average_time": 0.0004,
                     *           "error_count": 10,
                     *           "error_rate": 0.05,
                     *           "status_codes": {
                     *             "200": 190,
                     *             "400": 10
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3",
                     *       "info": {
                     *         "title": "Example",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRosterPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Staff Member API</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRosterAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example :root { color-scheme: light dark; } */
                    "text/css": string;
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg"/> */
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Swagger UI</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedoc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>ReDoc</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedocAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
}
/** The credentials of an account. */
export type LoginRequest = components['schemas']['LoginRequest'];
/** One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
export type ProblemFault = components['schemas']['ProblemFault'];
/** An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
export type Problem = components['schemas']['Problem'];
/** A bearer token and its lifetime. */
export type LoginResponse = components['schemas']['LoginResponse'];
/** A problem with the two members that OAuth 2.0 clients expect (RFC 6749, section 5.2). */
export type LoginProblem = components['schemas']['LoginProblem'];
/** A date and time without an offset, such as `2100-01-01T00:00:00`. It is compared as UTC. Responses always contain the time. In a request, a plain date is midnight. Null means no date. */
export type LocalDateTime = components['schemas']['LocalDateTime'];
/** One tag and the period in which it is effective. No property is required, because a nested `$select` can omit it. */
export type TagEntry = components['schemas']['TagEntry'];
/** A category and its tags. No property is required, because a nested `$select` can omit it. */
export type StaffTag = components['schemas']['StaffTag'];
/** A task that a person is skilled for, by day of the week. No property is required, because a nested `$select` can omit it. */
export type StaffSkillset = components['schemas']['StaffSkillset'];
/** A profile of a person. No property is required, because a nested `$select` can omit it. */
export type StaffProfile = components['schemas']['StaffProfile'];
/** A badge of a person. No property is required, because a nested `$select` can omit it. */
export type BadgeId = components['schemas']['BadgeId'];
/** A person on the staff. Without `$select`, every property is present, and a property without a value is null. With `$select`, only the selected and the expanded properties are present, so none is required. A collection is null unless it is expanded or included. For an account without the scope `admin`, Tags, TTCMTags, Skillset, Profiles and AvailableProfiles are empty arrays when they are requested. */
export type StaffMemberDetailDto = components['schemas']['StaffMemberDetailDto'];
/** A person who no longer belongs to a tracked list (OData JSON format 4.01, section 15.3). It may be a person that the client never received. */
export type RemovedStaffMember = components['schemas']['RemovedStaffMember'];
/** The OData envelope of a list (OData JSON format 4.01, section 13). Sent only to a client that requests it. */
export type StaffMemberPage = components['schemas']['StaffMemberPage'];
/** A new person. FirstName, LastName and Abbrev default to `CHANGEME`. No period may end before it starts: StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate. */
export type StaffMemberCreate = components['schemas']['StaffMemberCreate'];
/** Changes to a person. A member that is not sent keeps its value, and null clears the property. In the result, no period may end before it starts: StartDate to EndDate, PayrollStartDate to PayrollEndDate, TimeClockStartDate to TimeClockEndDate. A stored value may always be sent back unchanged. */
export type StaffMemberUpdate = components['schemas']['StaffMemberUpdate'];
/** The person of a staff location. */
export type LocationStaff = components['schemas']['LocationStaff'];
/** A place of work. */
export type Location = components['schemas']['Location'];
/** A credential for a location. This contract does not define its members. */
export type LocationCredential = components['schemas']['LocationCredential'];
/** A location of a person. */
export type StaffLocation = components['schemas']['StaffLocation'];
/** The tag to set, identified by category and name, or by key. A category or name that is sent with a key must be that of the tag. */
export type LocationTagUpdate = components['schemas']['LocationTagUpdate'];
/** The tag to add, identified by category and name, or by key. A category or name that is sent with a key must be that of the tag. */
export type StaffTagCreate = components['schemas']['StaffTagCreate'];
/** The days to change. A member that is not sent keeps its value. For a task that is new to the person, it defaults to false or null. */
export type SkillsetUpdate = components['schemas']['SkillsetUpdate'];
/** An empty object, the response to a successful deletion. */
export type Empty = components['schemas']['Empty'];
/** The flags to change. A member that is not sent keeps its value. */
export type ProfileUpdate = components['schemas']['ProfileUpdate'];
/** A tag of a pay modifier. */
export type PayModifierTag = components['schemas']['PayModifierTag'];
/** A change of a person's pay between two dates, for a position, a location or a task. */
export type PayModifier = components['schemas']['PayModifier'];
/** A tag of a pay modifier, identified by its keys. */
export type PayModifierTagReference = components['schemas']['PayModifierTagReference'];
/** A pay modifier to create, or the members to change. A location tag or task tag is identified by category and name together. Null for both clears it. Every tag must exist in its category, and no tag may be named twice. In the result, StartDate must not be after EndDate. */
export type PayModifierRequest = components['schemas']['PayModifierRequest'];
/** Credit of a request for one shift of a task, counted against a limit. */
export type ShiftCredit = components['schemas']['ShiftCredit'];
/** The limit of one person. */
export type StaffLimit = components['schemas']['StaffLimit'];
/** A limit on the requests of staff. */
export type RequestLimit = components['schemas']['RequestLimit'];
/** The manager to set, by StaffId or by key, or the instruction to clear the manager. Send exactly one member. */
export type StaffManagerUpdate = components['schemas']['StaffManagerUpdate'];
/** The server responds to requests. */
export type Health = components['schemas']['Health'];
/** The process is alive. The response depends on nothing outside the process. */
export type Liveness = components['schemas']['Liveness'];
/** State of one dependency. Other members depend on the dependency, such as a count or the reason of a failure. */
export type ReadinessDependency = components['schemas']['ReadinessDependency'];
/** Readiness of the server, with the state of each dependency. */
export type Readiness = components['schemas']['Readiness'];
/** Metrics of one route since the process started. */
export type EndpointMetrics = components['schemas']['EndpointMetrics'];
/** Metrics since the process started. */
export type Metrics = components['schemas']['Metrics'];
/** An OpenAPI document. The OpenAPI specification defines its other members. */
export type OpenapiDocument = components['schemas']['OpenapiDocument'];
